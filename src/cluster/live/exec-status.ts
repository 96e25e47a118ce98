import type { ExecEvent } from '../exec.ts';
import { isJsonObject, objectsIn, stringIn } from './json.ts';
import { parseJson } from './responses.ts';

/**
 * How a process ended, from the last message of its session.
 *
 * Source: Kubernetes, k8s.io/apimachinery/pkg/util/remotecommand, "v4.channel.k8s.io": a Status, whose cause `ExitCode` has the code.
 */
export const readExecStatus = (text: string): ExecEvent => {
  const status = parseJson(text);
  if (!isJsonObject(status)) return { type: 'failed', message: text.trim() };
  if (status['status'] === 'Success') return { type: 'exit', code: 0 };
  const details = isJsonObject(status['details']) ? status['details'] : {};
  const cause = objectsIn(details, 'causes').find((candidate) => candidate['reason'] === 'ExitCode');
  const code = Number.parseInt(cause === undefined ? '' : (stringIn(cause, 'message') ?? ''), 10);
  if (status['reason'] === 'NonZeroExitCode' && Number.isInteger(code)) return { type: 'exit', code };
  return { type: 'failed', message: stringIn(status, 'message') ?? 'the server did not say how it ended' };
};
