import { fieldsOf, fillIn, isJsonObject, itemsOf, mapShared, textOf, type JsonObject } from '../json.ts';

/**
 * The fields of a pod spec that the API server fills in, for pods and pod templates alike.
 *
 * Source: kubernetes `pkg/apis/core/v1/defaults.go`.
 */
export const podSpecWithDefaults = (spec: unknown): JsonObject => {
  const filled = fillIn(fieldsOf(spec), {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  return replaceLists(withServiceAccount(filled), {
    containers: containerWithDefaults,
    initContainers: containerWithDefaults,
    volumes: volumeWithDefaults,
  });
};

/** Changes the elements of those of the lists that are there. The same object when no element changes. */
const replaceLists = (fields: JsonObject, changes: Readonly<Record<string, (item: unknown) => unknown>>): JsonObject => {
  const replaced: Record<string, unknown> = {};
  for (const [key, change] of Object.entries(changes)) {
    const before = fields[key];
    if (!Array.isArray(before)) continue;
    const after = mapShared(before, change);
    if (after !== before) replaced[key] = after;
  }
  return Object.keys(replaced).length === 0 ? fields : { ...fields, ...replaced };
};

/** The deprecated twin of `serviceAccountName` is kept in step with it. */
const withServiceAccount = (spec: JsonObject): JsonObject =>
  spec.serviceAccountName === undefined || spec.serviceAccount !== undefined ? spec : { ...spec, serviceAccount: spec.serviceAccountName };

const probeDefaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

const containerWithDefaults = (container: unknown): unknown => {
  if (!isJsonObject(container)) return container;
  const filled = fillIn(container, {
    imagePullPolicy: defaultPullPolicy(textOf(container.image) ?? ''),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    resources: {},
  });
  const probes = Object.fromEntries(
    ['livenessProbe', 'readinessProbe', 'startupProbe']
      .filter((name) => isJsonObject(filled[name]))
      .map((name) => [name, probeWithDefaults(fieldsOf(filled[name]))]),
  );
  const changed = Object.entries(probes).some(([name, probe]) => probe !== filled[name]);
  return replaceLists(changed ? { ...filled, ...probes } : filled, { ports: portWithDefaults, env: variableWithDefaults });
};

const portWithDefaults = (port: unknown): unknown => (isJsonObject(port) ? fillIn(port, { protocol: 'TCP' }) : port);

/** An empty value is left out, as in every answer of the API server. */
const variableWithDefaults = (variable: unknown): unknown => {
  if (!isJsonObject(variable)) return variable;
  const source = fieldsOf(variable.valueFrom);
  if (isJsonObject(source.fieldRef) && source.fieldRef.apiVersion === undefined) {
    return { ...variable, valueFrom: { ...source, fieldRef: { apiVersion: 'v1', ...source.fieldRef } } };
  }
  if (variable.value !== '') return variable;
  const { value: _, ...rest } = variable;
  return rest;
};

const probeWithDefaults = (probe: JsonObject): JsonObject => {
  const filled = fillIn(probe, probeDefaults);
  if (!isJsonObject(filled.httpGet)) return filled;
  const httpGet = fillIn(filled.httpGet, { path: '/', scheme: 'HTTP' });
  return httpGet === filled.httpGet ? filled : { ...filled, httpGet };
};

const volumeDefaults: Readonly<Record<string, JsonObject>> = {
  configMap: { defaultMode: 0o644 },
  secret: { defaultMode: 0o644 },
  projected: { defaultMode: 0o644 },
  downwardAPI: { defaultMode: 0o644 },
  hostPath: { type: '' },
};

const volumeWithDefaults = (volume: unknown): unknown => {
  if (!isJsonObject(volume)) return volume;
  const source = Object.keys(volumeDefaults).find((key) => isJsonObject(volume[key]));
  if (source === undefined) return Object.keys(volume).length === 1 && volume.name !== undefined ? { ...volume, emptyDir: {} } : volume;
  const filled = fillIn(fieldsOf(volume[source]), fieldsOf(volumeDefaults[source]));
  return filled === volume[source] ? volume : { ...volume, [source]: filled };
};

/** `Always` for the tag `latest`, said or implied. A digest beside it changes nothing unless there is no tag. */
const defaultPullPolicy = (image: string): string => {
  const [name = '', digest] = image.split('@');
  const tag = /:([\w][\w.-]*)$/.exec(name)?.[1] ?? (digest === undefined ? 'latest' : '');
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
};

/** Every container of a pod spec, init containers first. */
export const containersOf = (spec: JsonObject): readonly JsonObject[] =>
  [...itemsOf(spec.initContainers), ...itemsOf(spec.containers)].filter((container) => isJsonObject(container));
