import { isJsonObject } from '../kubernetes/json.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';

/** The head of a run's journal that says that the run has not ended. */
export const isOpenRun = ({ kind, metadata, data }: KubernetesObject): boolean =>
  kind === 'ConfigMap' && metadata.labels?.['poimen.dev/journal'] === 'head' && isJsonObject(data) && data['state'] === 'open';

export const runOfHead = ({ metadata }: KubernetesObject): string => metadata.labels?.['poimen.dev/run'] ?? metadata.name;
