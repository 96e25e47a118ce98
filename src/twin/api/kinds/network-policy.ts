import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { fieldsOf, fillIn, isJsonObject, isSameJson, itemsOf, mapShared, type JsonObject } from '../json.ts';
import type { KindRules } from './kind-rules.ts';

/** Source: kubernetes `pkg/apis/networking/v1/defaults.go`. */
const withDefaults = (policy: KubernetesObject): KubernetesObject => {
  const given = fieldsOf(policy.spec);
  const policyTypes = itemsOf(given.egress).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
  const spec = withPorts(withPorts(fillIn(given, { policyTypes }), 'ingress'), 'egress');
  return spec === policy.spec ? policy : { ...policy, spec };
};

const withPorts = (spec: JsonObject, direction: 'ingress' | 'egress'): JsonObject => {
  const given = spec[direction];
  if (!Array.isArray(given)) return spec;
  const rules = mapShared(given, withProtocols);
  return rules === given ? spec : { ...spec, [direction]: rules };
};

const withProtocols = (rule: unknown): unknown => {
  if (!isJsonObject(rule) || !Array.isArray(rule.ports)) return rule;
  const ports = mapShared(rule.ports, (port) => (isJsonObject(port) ? fillIn(port, { protocol: 'TCP' }) : port));
  return ports === rule.ports ? rule : { ...rule, ports };
};

export const networkPolicyRules: KindRules = {
  hasStatus: false,
  unconditionalUpdate: true,
  createOnUpdate: false,
  movesGeneration: (after, before) => !isSameJson(after.spec, before.spec),
  withDefaults,
};
