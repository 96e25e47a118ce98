import type { PreflightFacts } from './facts.ts';
import { blocks, type Finding } from './finding.ts';

/** The runbook is for one cluster, known by the UID of its kube-system namespace, which nobody can choose or copy. */
export const checkClusterPin = ({ input, namespaces, forbidden }: PreflightFacts): readonly Finding[] => {
  if (input.clusterUid === undefined || forbidden.some(({ selection }) => selection.resource.kind === 'Namespace')) return [];
  const uid = namespaces.find(({ metadata }) => metadata.name === 'kube-system')?.metadata.uid;
  if (uid === input.clusterUid) return [];
  return [
    blocks(
      'OtherCluster',
      `this is another cluster than the one that the runbook is for: its kube-system namespace has the UID ${uid ?? 'of nobody (there is none)'}, not ${input.clusterUid}`,
      'choose the context of that cluster: kubectl config get-contexts',
    ),
  ];
};
