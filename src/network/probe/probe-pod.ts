import { isSchedulable, isNodeReady, type Node } from '../../kubernetes/node.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { isTerminal, isTerminating, type Pod } from '../../kubernetes/pod.ts';
import { fullName } from '../../kubernetes/reference.ts';
import { imagePresence, type ImagePresence } from './probe-pod-image.ts';
import type { ProbePodFacts } from './probe-pod-facts.ts';
import { chooseLabels, describeChange } from './probe-pod-labels.ts';
import { clientAnnotation, makerAnnotation, neverReadyGate, probeContainer, probeLabel } from './probe-pod-marks.ts';

/** What is wished for, besides the client. */
export interface ProbePodWish {
  readonly image: string;
  /** The run's name. */
  readonly run: string;
  /** A DNS label, different for each pod. Does not end with a number: a StatefulSet could take it for one of its own. */
  readonly name: string;
  /** Who makes it: see `makerAnnotation`. */
  readonly maker: string;
  /** How long it is needed at the most. */
  readonly deadlineSeconds: number;
}

/** What would be made, and what a person ought to know before. */
export interface PlannedProbePod {
  readonly pod: Pod;
  /** The client's pod that it stands beside. */
  readonly beside: Pod;
  readonly image: ImagePresence;
  /** `without pod-template-hash=7d9f` */
  readonly difference: string;
  readonly notes: readonly string[];
}

export interface ProbePodRefusal {
  readonly code: 'ClientNotFound' | 'ClientNotRunning' | 'ClientOnHostNetwork' | 'ClientNodeUnusable' | 'ProbePodWouldInterfere';
  readonly reason: string;
  readonly nextSteps: readonly string[];
}

export type ProbePodDecision =
  | { readonly kind: 'planned'; readonly planned: PlannedProbePod }
  | { readonly kind: 'refused'; readonly refusal: ProbePodRefusal };

/**
 * Decides which pod can stand in for a client: to policies and name servers what the client's pod is, on the same node, and to nobody else
 * anything at all.
 */
export const planProbePod = (facts: ProbePodFacts, wish: ProbePodWish): ProbePodDecision => {
  const client = fullName(facts.client);
  if (facts.object === undefined) return refused('ClientNotFound', `${client} does not exist`, 'name another client');
  const running = facts.pods
    .filter((pod) => pod.status?.phase === 'Running' && !isTerminal(pod) && !isTerminating(pod) && pod.spec.nodeName !== undefined)
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  if (running.length === 0)
    return refused(
      'ClientNotRunning',
      `${client} has no running pod beside which a probe pod could stand`,
      'start it, or name another client',
    );
  const own = running.filter(({ spec }) => spec.hostNetwork !== true);
  if (own.length === 0)
    return refused(
      'ClientOnHostNetwork',
      `${client} uses its node's network: a probe pod there would be no pod to network policies, and would need rights that poimen does not ask for`,
      `ask from its own container: leave out --probe-image`,
    );
  const reasons: string[] = [];
  const beside = own.find((pod) => {
    const unusable = whyUnusable(pod, facts.nodes);
    if (unusable !== undefined) reasons.push(unusable);
    return unusable === undefined;
  });
  if (beside === undefined)
    return refused(
      'ClientNodeUnusable',
      `a probe pod has to be on the node of a pod of ${client}: ${[...new Set(reasons)].join('; ')}`,
      'wait until the node takes pods again, or leave out --probe-image',
    );

  const mark = { [probeLabel]: wish.run };
  const choice = chooseLabels(facts, beside, mark);
  if (choice.objections.length > 0)
    return refused(
      'ProbePodWouldInterfere',
      `no labels are like those of ${client} to network policies and harmless: ${choice.objections.join('; ')}`,
      'ask from its own container: leave out --probe-image',
    );
  const image = imagePresence(
    wish.image,
    facts.nodes?.find(({ metadata }) => metadata.name === beside.spec.nodeName),
  );
  const { labels, ownership, notes } = choice;
  return {
    kind: 'planned',
    planned: {
      pod: manifest({ wish, client, beside, image, labels, owner: ownership.owner }),
      beside,
      image,
      difference: describeChange(beside.metadata.labels ?? {}, choice),
      notes,
    },
  };
};

const refused = (code: ProbePodRefusal['code'], reason: string, next: string): ProbePodDecision => ({
  kind: 'refused',
  refusal: { code, reason, nextSteps: [next] },
});

/** Nobody is pushed aside for it: it has to find a node that takes new pods. */
const whyUnusable = ({ spec }: Pod, nodes: readonly Node[] | undefined): string | undefined => {
  if ((spec['os'] as { readonly name?: string } | undefined)?.name === 'windows') return 'the client runs on Windows';
  const node = nodes?.find(({ metadata }) => metadata.name === spec.nodeName);
  if (node === undefined) return undefined; // the scheduler will tell
  if (!isSchedulable(node)) return `${node.metadata.name} is cordoned`;
  return isNodeReady(node) ? undefined : `${node.metadata.name} is not ready`;
};

interface ManifestParts {
  readonly wish: ProbePodWish;
  readonly client: string;
  readonly beside: Pod;
  readonly image: ImagePresence;
  readonly labels: Readonly<Record<string, string>>;
  readonly owner: NonNullable<KubernetesObject['metadata']['ownerReferences']>[number];
}

/** Distroless's and many others' `nobody`. */
const nobody = 65_534;

/** As small as a pod can be, and within Pod Security's `restricted`. Source: Kubernetes, "Pod Security Standards". */
const manifest = ({ wish, client, beside, image, labels, owner }: ManifestParts): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: wish.name,
    ...(beside.metadata.namespace === undefined ? {} : { namespace: beside.metadata.namespace }),
    labels,
    annotations: {
      [clientAnnotation]: client,
      [makerAnnotation]: wish.maker,
      'kubectl.kubernetes.io/default-container': probeContainer,
      'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true',
    },
    ownerReferences: [owner],
  },
  spec: {
    ...likeClient(beside.spec),
    // Not nodeName: the scheduler would not be asked, and the kubelet of a full node would turn the pod away for good.
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [beside.spec.nodeName ?? ''] }] }],
        },
      },
    },
    readinessGates: [{ conditionType: neverReadyGate }],
    restartPolicy: 'Never',
    activeDeadlineSeconds: wish.deadlineSeconds,
    terminationGracePeriodSeconds: 1, // nobody in it says goodbye; 0 would remove the object before the container is gone
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, runAsUser: userOf(beside.spec), seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: probeContainer,
        image: wish.image,
        // What was said to be there is not pulled behind anybody's back.
        imagePullPolicy: image === 'present' ? 'Never' : 'IfNotPresent',
        command: ['sleep', String(wish.deadlineSeconds)],
        // CUDA images ask a GPU runtime for all cards, without any that the scheduler would know of.
        env: [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'void' }],
        resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { cpu: '200m', memory: '128Mi' } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
});

/** What decides how it resolves names, who it is to policies that go by accounts, where its image may come from, and whether its node takes it. */
const copiedFields = ['dnsPolicy', 'dnsConfig', 'hostAliases', 'serviceAccountName', 'imagePullSecrets', 'tolerations'] as const;

const likeClient = (spec: Pod['spec']): Partial<Pod['spec']> =>
  Object.fromEntries(copiedFields.flatMap((field) => (spec[field] === undefined ? [] : [[field, spec[field]]])));

/** The client's own, where it has one: some clusters allow a namespace certain ones only. */
const userOf = (spec: Pod['spec']): number => {
  const { runAsUser } = (spec['securityContext'] ?? {}) as { readonly runAsUser?: number };
  return runAsUser === undefined || runAsUser === 0 ? nobody : runAsUser;
};
