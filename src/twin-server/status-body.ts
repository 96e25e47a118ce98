import type { ApiError } from '../cluster/api-error.ts';
import { noSuchPath } from './refusals.ts';
import { json, type WholeAnswer } from './request.ts';

/** Source: Kubernetes API reference, Status v1 meta. */
export const statusBody = ({ status }: ApiError, continueToken?: string): Readonly<Record<string, unknown>> => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: continueToken === undefined ? {} : { continue: continueToken },
  status: 'Failure',
  message: status.message,
  ...(status.reason === '' ? {} : { reason: status.reason }),
  ...(status.details === undefined ? {} : { details: status.details }),
  code: status.code,
});

/** The twin's API says "404 page not found" by an error without a reason; on the wire that is no Status. */
export const refusalAnswer = (error: ApiError): WholeAnswer =>
  error.status.code === 404 && error.status.reason === '' ? noSuchPath() : json(error.status.code, statusBody(error));
