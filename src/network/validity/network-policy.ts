import { isJsonArray } from '../../kubernetes/json.ts';
import { cidr, isStrictlyInside, rangeOf } from './cidr.ts';
import { labelSelector } from './selector.ts';
import { anything, fields, listOf, oneOf, portNumber, refuse, type Check } from './shape.ts';

/** Source: k8s.io/apimachinery, `IsValidPortName` (RFC 6335, section 5.1). */
const portName: Check = (value, path, flaws) => {
  const sound = typeof value === 'string' && value.length <= 15 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(value) && /[a-z]/.test(value);
  if (!sound)
    refuse(
      flaws,
      path,
      `${JSON.stringify(value)} is not a port`,
      'a number from 1 to 65535 without quotes, or the name of a container port: at most 15 of a-z, 0-9, "-"',
    );
};

const portOrName: Check = (value, path, flaws) => (typeof value === 'number' ? portNumber : portName)(value, path, flaws);

const port = fields(
  { optional: { protocol: oneOf('TCP', 'UDP', 'SCTP'), port: portOrName, endPort: portNumber } },
  ({ port: first, endPort }, path, flaws) => {
    if (endPort === undefined) return;
    if (typeof first !== 'number')
      refuse(flaws, [...path, 'endPort'], 'endPort without a numeric port', 'give the first port of the range as a number');
    else if (typeof endPort === 'number' && endPort < first)
      refuse(flaws, [...path, 'endPort'], `endPort ${endPort} is below port ${first}`, 'the first port comes first');
  },
);

const ipBlock = fields({ required: { cidr }, optional: { except: listOf(cidr) } }, ({ cidr: outer, except }, path, flaws) => {
  const range = rangeOf(outer);
  for (const [index, exception] of (isJsonArray(except) ? except : []).entries()) {
    const inner = rangeOf(exception);
    if (inner !== undefined && range !== undefined && !isStrictlyInside(inner, range)) {
      refuse(
        flaws,
        [...path, 'except', index],
        `${String(exception)} is not a part of ${String(outer)}`,
        'except takes ranges out of cidr: each has to be smaller, and inside of it',
      );
    }
  }
});

const peer = fields({ optional: { podSelector: labelSelector, namespaceSelector: labelSelector, ipBlock } }, (value, path, flaws) => {
  const given = Object.keys(value).filter((key) => ['podSelector', 'namespaceSelector', 'ipBlock'].includes(key));
  if (given.length === 0)
    refuse(flaws, path, 'an entry that names nobody', 'podSelector: {} is every pod of the namespace; leave from or to out for everybody');
  else if (given.length > 1 && given.includes('ipBlock')) refuse(flaws, path, 'ipBlock beside a selector', 'make two entries of them');
});

/** Source: k8s.io/kubernetes, pkg/apis/networking/validation, `ValidateNetworkPolicySpec`. */
export const networkPolicySpec: Check = fields({
  optional: {
    podSelector: labelSelector,
    policyTypes: listOf(oneOf('Ingress', 'Egress'), { most: 2 }),
    ingress: listOf(fields({ optional: { from: listOf(peer), ports: listOf(port) } })),
    egress: listOf(fields({ optional: { to: listOf(peer), ports: listOf(port) } })),
  },
});

export const networkPolicy: Check = fields({
  required: { apiVersion: anything, kind: anything, metadata: anything },
  optional: { spec: networkPolicySpec, status: anything },
});
