import type { Condition, KubernetesObject } from './object.ts';

/**
 * The fields of a Pod that poimen reads.
 *
 * Source: Kubernetes API reference, Pod v1 core.
 */
export interface Pod extends KubernetesObject {
  readonly spec: PodSpec;
  readonly status?: PodStatus;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly affinity?: Affinity;
  readonly tolerations?: readonly Toleration[];
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly hostNetwork?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  readonly terminationGracePeriodSeconds?: number;
  readonly readinessGates?: readonly { readonly conditionType: string }[];
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly runtimeClassName?: string;
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly serviceAccountName?: string;
  readonly schedulerName?: string;
  readonly overhead?: ResourceList;
  /** Pod-level resources; where set, they stand for the sum of the containers'. */
  readonly resources?: ResourceRequirements;
  readonly [field: string]: unknown;
}

/** Quantities by resource name: `cpu`, `memory`, `nvidia.com/gpu`. Manifests may write numbers. */
export type ResourceList = Readonly<Record<string, string | number>>;

export interface ResourceRequirements {
  readonly requests?: ResourceList;
  readonly limits?: ResourceList;
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly ports?: readonly ContainerPort[];
  readonly resources?: ResourceRequirements;
  /** `Always` on an init container makes it a sidecar: it runs next to the containers. */
  readonly restartPolicy?: string;
  readonly [field: string]: unknown;
}

export interface ContainerPort {
  readonly containerPort: number;
  readonly name?: string;
  readonly protocol?: Protocol;
  readonly hostPort?: number;
}

export type Protocol = 'TCP' | 'UDP' | 'SCTP';

export interface Volume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly configMap?: { readonly name?: string; readonly optional?: boolean };
  readonly secret?: { readonly secretName?: string; readonly optional?: boolean };
  readonly [source: string]: unknown;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: 'Exists' | 'Equal';
  readonly value?: string;
  readonly effect?: TaintEffect;
  readonly tolerationSeconds?: number;
}

export type TaintEffect = 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';

export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] };
  };
  readonly [field: string]: unknown;
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values?: readonly string[];
}

export interface PodStatus {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly hostIP?: string;
  readonly hostIPs?: readonly { readonly ip: string }[];
  readonly startTime?: string;
  readonly conditions?: readonly Condition[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly [field: string]: unknown;
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: number;
  readonly image?: string;
  readonly imageID?: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

/** At most one is set; none means waiting. */
export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: {
    readonly exitCode: number;
    readonly reason?: string;
    readonly message?: string;
    readonly startedAt?: string;
    readonly finishedAt?: string;
  };
}

/** A pod of a workload, before it exists. */
export interface PodTemplate {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly spec: PodSpec;
}

/** Succeeded or Failed: holds no device, serves nothing, and counts for nothing even when its address is in use again. */
export const isTerminal = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';

/** Asked to go, and still there. */
export const isTerminating = (object: KubernetesObject): boolean => object.metadata.deletionTimestamp !== undefined;

export const podCondition = (pod: Pod, type: string): Condition | undefined =>
  pod.status?.conditions?.find((condition) => condition.type === type);

/**
 * The Ready condition, and every readiness gate that the pod names.
 *
 * Source: Kubernetes, "Pod Lifecycle", "Pod readiness".
 */
export const isPodReady = (pod: Pod): boolean =>
  podCondition(pod, 'Ready')?.status === 'True' &&
  (pod.spec.readinessGates ?? []).every((gate) => podCondition(pod, gate.conditionType)?.status === 'True');

/**
 * Ready, and for at least `minReadySeconds`. `now` is in milliseconds since the Unix epoch.
 *
 * Source: Kubernetes API reference, DeploymentSpec `minReadySeconds`; the same rule as the controllers' "available".
 */
export const isPodAvailable = (pod: Pod, minReadySeconds: number, now: number): boolean => {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = Date.parse(podCondition(pod, 'Ready')?.lastTransitionTime ?? '');
  return since + minReadySeconds * 1000 <= now; // false for an unknown time
};

export const isSidecar = (initContainer: Container): boolean => initContainer.restartPolicy === 'Always';

/**
 * The number behind a named port: name *and* protocol, containers before sidecars, the first one wins.
 *
 * Source: Kubernetes, `FindPort` of pkg/api/v1/pod.
 */
export const findNamedPort = (spec: PodSpec, name: string, protocol: Protocol): number | undefined =>
  [...spec.containers, ...(spec.initContainers ?? []).filter(isSidecar)]
    .flatMap((container) => container.ports ?? [])
    .find((port) => port.name === name && (port.protocol ?? 'TCP') === protocol)?.containerPort;

/** All addresses of the pod, the primary one first. */
export const podAddresses = (pod: Pod): readonly string[] => {
  const { podIP, podIPs } = pod.status ?? {};
  return [...new Set([...(podIP === undefined ? [] : [podIP]), ...(podIPs ?? []).map(({ ip }) => ip)])];
};
