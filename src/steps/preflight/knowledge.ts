import { qualifiedName } from '../../kubernetes/resource.ts';
import type { Reading } from '../step-kind.ts';
import { whyUnknown } from '../unknown.ts';
import type { PreflightFacts } from './facts.ts';
import { blocks, warns, type Finding } from './finding.ts';
import { missingRule } from './wide-reads.ts';

/**
 * No answer is not "there is nothing", whether it was forbidden to look or the server could not say. What is not known of the hand-over's own
 * objects stands in the way; what is not known of other namespaces, into which who may only work in one cannot look, is said.
 */
export const checkKnowledge = ({ unknown, unseen }: PreflightFacts): readonly Finding[] => [
  ...unknown.map(({ selection, why, unavailable }) =>
    blocks(
      unavailable.reason === 'forbidden' ? 'ForbiddenToLook' : 'CouldNotBeAsked',
      `nobody knows ${why}: ${whyUnknown(selection, unavailable)}`,
      unavailable.reason === 'forbidden'
        ? `a Role or ClusterRole that allows: ${missingRule(selection)}`
        : `see why: ${lookCommand(selection)}`,
    ),
  ),
  ...unseen.map(({ selection, what, unavailable }) => {
    const unknown = `nobody knows ${what}: ${whyUnknown(selection, unavailable)}`;
    return warns(
      unavailable.reason === 'forbidden' ? `${unknown}; a ClusterRole that allows to ${missingRule(selection)} would tell` : unknown,
    );
  }),
];

/** A group of its own has somebody behind it, who may be down: its APIService says so. */
const lookCommand = ({ resource, namespace }: Reading): string => {
  const where = !resource.namespaced ? '' : namespace === undefined ? ' --all-namespaces' : ` -n ${namespace}`;
  const behind = resource.group.includes('.') ? `kubectl get apiservice ${resource.version}.${resource.group}; ` : '';
  return `${behind}kubectl get ${qualifiedName(resource)}${where}`;
};
