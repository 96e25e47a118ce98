/** What controllers put on each of their pods alone, and anew. Source: Kubernetes, "Well-Known Labels, Annotations and Taints". */
export const controllerLabels: readonly string[] = [
  'pod-template-hash',
  'controller-revision-hash',
  'pod-template-generation',
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-completion-index',
];
