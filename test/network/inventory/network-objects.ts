import type { KubernetesObject } from '../../../src/kubernetes/object.ts';
import { takeInventory, type Inventory } from '../../../src/network/inventory/inventory.ts';
import type { Gap } from '../../../src/network/inventory/gap.ts';
import { parseYamlStream } from '../../../src/manifests/yaml.ts';
import { isKubernetesObject } from '../../../src/kubernetes/object.ts';
import type { SourceObject } from '../../../src/network/inventory/source-object.ts';

/** Objects of a YAML text, as they would stand in net.yaml. */
export const objectsIn = (text: string): readonly SourceObject[] => {
  const { documents, problems } = parseYamlStream(text, 'net.yaml');
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return documents.map(({ value, positionOf }) => {
    if (!isKubernetesObject(value)) throw new Error(`no object: ${JSON.stringify(value)}`);
    return { object: value, positionOf };
  });
};

export const inventoryOf = (text: string, gaps: readonly Gap[] = []): Inventory => takeInventory(objectsIn(text), gaps);

export const namespace = (name: string, labels: Readonly<Record<string, string>> = {}): string =>
  yaml({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });

export interface WorkloadWish {
  readonly labels?: Readonly<Record<string, string>>;
  readonly ports?: readonly object[];
  readonly spec?: object;
  readonly replicas?: number;
}

/** A Deployment; `name` is `NAMESPACE/NAME`. */
export const workload = (
  name: string,
  { labels, ports = [{ name: 'http', containerPort: 8080 }], spec = {}, replicas = 1 }: WorkloadWish = {},
): string => {
  const [inNamespace, own] = split(name);
  const carried = labels ?? { app: own };
  const container = { name: 'main', ports };
  return yaml({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: own, namespace: inNamespace },
    spec: {
      replicas,
      selector: { matchLabels: carried },
      template: { metadata: { labels: carried }, spec: { containers: [container], ...spec } },
    },
  });
};

export interface PodWish extends WorkloadWish {
  readonly ip?: string;
  readonly ready?: boolean;
  readonly phase?: string;
  readonly node?: string;
  readonly owner?: { readonly kind: string; readonly name: string };
  readonly metadata?: object;
}

/** A pod that runs, with its UID `uid-of-NAME`. */
export const pod = (
  name: string,
  {
    labels,
    ports = [{ name: 'http', containerPort: 8080 }],
    spec = {},
    ip,
    ready = true,
    phase = 'Running',
    node,
    owner,
    metadata = {},
  }: PodWish = {},
): string => {
  const [inNamespace, own] = split(name);
  return yaml({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: own,
      namespace: inNamespace,
      uid: `uid-of-${own}`,
      labels: labels ?? { app: own },
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: 'apps/v1', controller: true, uid: `uid-of-${owner.name}`, ...owner }] }),
      ...metadata,
    },
    spec: { containers: [{ name: 'main', ports }], ...(node === undefined ? {} : { nodeName: node }), ...spec },
    status: { phase, ...(ip === undefined ? {} : { podIP: ip }), conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  });
};

export const service = (name: string, spec: object): string => {
  const [inNamespace, own] = split(name);
  return yaml({ apiVersion: 'v1', kind: 'Service', metadata: { name: own, namespace: inNamespace }, spec });
};

export const policy = (name: string, spec: object): string => {
  const [inNamespace, own] = split(name);
  return yaml({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: own, namespace: inNamespace }, spec });
};

export const custom = (apiVersion: string, kind: string, name: string, rest: object = {}): string => {
  const [inNamespace, own] = split(name);
  return yaml({ apiVersion, kind, metadata: { name: own, ...(inNamespace === '' ? {} : { namespace: inNamespace }) }, ...rest });
};

/** JSON is YAML. */
const yaml = (object: Omit<KubernetesObject, 'metadata'> & { readonly metadata: object }): string =>
  `---\n${JSON.stringify(object, undefined, 2)}\n`;

const split = (name: string): readonly [string, string] => {
  const [inNamespace = '', own = ''] = name.includes('/') ? name.split('/') : ['', name];
  return [inNamespace, own];
};
