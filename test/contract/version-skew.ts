/** What a later minor does otherwise than the one that the contract is written for, and the twin with it. */
export interface ChangedBehaviour {
  /** The sentence of the contract test that fails on the later minor. */
  readonly behaviour: string;
  readonly change: string;
  /** Where upstream announced it. */
  readonly reference: string;
  /** Why poimen is right on both. */
  readonly poimen: string;
}

/** Kubernetes 1.36 beside 1.34. `npm run test:skew` fails when one of these stops differing, and when anything else does differ. */
export const changedIn136: readonly ChangedBehaviour[] = [
  {
    behaviour: "a Service's name has to begin with a letter",
    change: 'a name may begin with a digit (RelaxedServiceNameValidation)',
    reference: 'https://github.com/kubernetes/enhancements/issues/5311',
    poimen: 'takes names as the server has them; only the twin refuses such a Service',
  },
  {
    behaviour: 'at 0 it counts no replicas and is Available, while its pod is still Terminating and serves',
    change: 'the status also counts `terminatingReplicas` (DeploymentReplicaSetTerminatingReplicas)',
    reference: 'https://github.com/kubernetes/enhancements/issues/3973',
    poimen: 'looks at the pods themselves: absent from LIST and watch, Terminating ones included',
  },
  {
    behaviour: 'its ReplicaSet counts no replicas either, and stays',
    change: 'the same in the status of a ReplicaSet',
    reference: 'https://github.com/kubernetes/enhancements/issues/3973',
    poimen: 'as above',
  },
];
