import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { fieldsOf, fillIn, isJsonObject, itemsOf, mapShared, numberOf, textOf, type JsonObject } from '../json.ts';
import { explainLabelName, explainServiceName, validateLabelValues } from '../names.ts';
import { forbidden, invalid, notSupported, required, type Cause } from '../refusals.ts';
import type { CompletionContext, KindRules } from './kind-rules.ts';

const serviceTypes = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const protocols = ['SCTP', 'TCP', 'UDP'];

/** Source: kubernetes `SetDefaults_Service`. */
const withDefaults = (service: KubernetesObject): KubernetesObject => {
  const given = fieldsOf(service.spec);
  const type = textOf(given.type) ?? 'ClusterIP';
  const isExternalName = type === 'ExternalName';
  const filled = fillIn(given, { sessionAffinity: 'None', type, ...(isExternalName ? {} : { internalTrafficPolicy: 'Cluster' }) });
  const ports = Array.isArray(filled.ports) ? mapShared(filled.ports, portWithDefaults) : undefined;
  const isSelectorEmpty = isJsonObject(filled.selector) && Object.keys(filled.selector).length === 0;
  const spec =
    ports === filled.ports && !isSelectorEmpty ? filled : { ...filled, ports, ...(isSelectorEmpty ? { selector: undefined } : {}) };
  return spec === service.spec ? service : { ...service, spec };
};

const portWithDefaults = (port: unknown): unknown => {
  if (!isJsonObject(port)) return port;
  const filled = fillIn(port, { protocol: 'TCP', targetPort: port.port });
  return filled.targetPort === 0 || filled.targetPort === '' ? { ...filled, targetPort: filled.port } : filled;
};

/**
 * Gives the Service an address, and takes over the one it has: an update that leaves it out keeps it.
 *
 * Source: kubernetes `pkg/registry/core/service/storage/alloc.go`, `patchAllocatedValues`.
 */
const complete = (service: KubernetesObject, context: CompletionContext): KubernetesObject => {
  const given = fieldsOf(service.spec);
  if (given.type === 'ExternalName') return service;
  const previous = fieldsOf(context.before?.spec);
  const clusterIP = textOf(given.clusterIP) || textOf(previous.clusterIP) || pickAddress(context);
  const families =
    clusterIP === 'None' && Object.keys(fieldsOf(given.selector)).length === 0
      ? { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4', 'IPv6'] }
      : singleStack;
  const spec = fillIn(given.clusterIP === clusterIP ? given : { ...given, clusterIP }, { clusterIPs: [clusterIP], ...families });
  return spec === service.spec ? service : { ...service, spec };
};

const singleStack = { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] };

/** 10.96.0.0/16, the range that kubeadm and this project's test cluster use; the lowest 256 are left to those who ask for one by name. */
const reserved = 256;
const rangeSize = 65_536;

const pickAddress = (context: CompletionContext): string => {
  const taken = new Set([...context.others()].map((service) => fieldsOf(service.spec).clusterIP));
  for (let offset = 0; offset < rangeSize - reserved - 1; offset++) {
    const host = reserved + ((context.draw + offset) % (rangeSize - reserved - 1));
    const address = `10.96.${host >>> 8}.${host & 255}`;
    if (!taken.has(address)) return address;
  }
  throw new Error('every address of 10.96.0.0/16 is taken');
};

/** Source: kubernetes `validateService`. */
const validate = (service: KubernetesObject, context: CompletionContext): readonly Cause[] => {
  const spec = fieldsOf(service.spec);
  const type = textOf(spec.type) ?? '';
  if (!serviceTypes.includes(type)) return [notSupported('spec.type', type, serviceTypes)];
  if (type === 'ExternalName') return textOf(spec.externalName) ? [] : [required('spec.externalName')];
  const ports = itemsOf(spec.ports);
  if (ports.length === 0 && spec.clusterIP !== 'None') return [required('spec.ports')];
  return [
    ...ports.flatMap((port, index) => validatePort(fieldsOf(port), `spec.ports[${index}]`, ports.length > 1)),
    ...validateDistinctPorts(ports),
    ...validateLabelValues(fieldsOf(spec.selector), 'spec.selector'),
    ...validateAddress(service, context),
  ];
};

const validateAddress = ({ metadata, spec }: KubernetesObject, { others }: CompletionContext): readonly Cause[] => {
  const { clusterIP, clusterIPs } = fieldsOf(spec);
  if (clusterIP === 'None') return [];
  const isTaken = [...others()].some((other) => other.metadata.uid !== metadata.uid && fieldsOf(other.spec).clusterIP === clusterIP);
  return isTaken
    ? [invalid('spec.clusterIPs', clusterIPs, `failed to allocate IP ${String(clusterIP)}: provided IP is already allocated`)]
    : [];
};

const validatePort = (port: JsonObject, path: string, needsName: boolean): readonly Cause[] => {
  const name = textOf(port.name) ?? '';
  const nameFault = name === '' ? undefined : explainLabelName(name);
  const number = numberOf(port.port) ?? 0;
  return [
    ...(needsName && name === '' ? [required(`${path}.name`)] : []),
    ...(nameFault === undefined ? [] : [invalid(`${path}.name`, name, nameFault)]),
    ...(isPort(number) ? [] : [invalid(`${path}.port`, number, 'must be between 1 and 65535, inclusive')]),
    ...(protocols.includes(textOf(port.protocol) ?? '') ? [] : [notSupported(`${path}.protocol`, port.protocol, protocols)]),
    ...(typeof port.targetPort !== 'number' || isPort(port.targetPort)
      ? []
      : [invalid(`${path}.targetPort`, port.targetPort, 'must be between 1 and 65535, inclusive')]),
  ];
};

const isPort = (number: number): boolean => Number.isInteger(number) && number >= 1 && number <= 65_535;

const validateDistinctPorts = (ports: readonly unknown[]): readonly Cause[] => {
  const causes: Cause[] = [];
  const [names, numbers] = [new Set<unknown>(), new Set<string>()];
  for (const [index, port] of ports.entries()) {
    const { name, port: number, protocol } = fieldsOf(port);
    const dialled = JSON.stringify([number, protocol]);
    if (name !== undefined && names.has(name)) causes.push(duplicate(`spec.ports[${index}].name`, name));
    if (numbers.has(dialled)) causes.push(duplicate(`spec.ports[${index}]`, { port: number, protocol }));
    names.add(name);
    numbers.add(dialled);
  }
  return causes;
};

const duplicate = (field: string, value: unknown): Cause => ({
  field,
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${JSON.stringify(value)}`,
});

/** The address may only go when the Service becomes an ExternalName, and only come when it was one. */
const validateUpdate = (after: KubernetesObject, before: KubernetesObject): readonly Cause[] => {
  const [spec, previous] = [fieldsOf(after.spec), fieldsOf(before.spec)];
  if (spec.type === 'ExternalName' || previous.type === 'ExternalName') return [];
  if (spec.clusterIP !== previous.clusterIP) return [invalid('spec.clusterIPs[0]', spec.clusterIPs, 'may not change once set')];
  if (spec.clusterIP === 'None' && previous.clusterIP !== 'None') return [forbidden('spec.clusterIP', 'may not become headless')];
  return [];
};

/** Carries no generation: a change of a Service cannot be waited for by `observedGeneration`. */
export const serviceRules: KindRules = {
  hasStatus: true,
  unconditionalUpdate: true,
  createOnUpdate: true,
  withDefaults,
  complete,
  initialStatus: () => ({ loadBalancer: {} }),
  validateName: explainServiceName,
  validate,
  validateUpdate,
};
