import type { PreflightFacts } from './facts.ts';
import { blocks, warns, type Finding } from './finding.ts';
import { missingRule } from './wide-reads.ts';

/**
 * Forbidden to look is not "there is nothing". What is not known of the hand-over's own objects stands in the way; what is not known of other
 * namespaces, into which who may only work in one cannot look, is said.
 */
export const checkKnowledge = ({ forbidden, unseen }: PreflightFacts): readonly Finding[] => [
  ...forbidden.map(({ selection, why, unavailable }) =>
    blocks(
      'ForbiddenToLook',
      `nobody knows ${why}: ${unavailable.message}`,
      `a Role or ClusterRole that allows: ${missingRule(selection)}`,
    ),
  ),
  ...unseen.map(({ selection, what, unavailable }) =>
    warns(`nobody knows ${what}: ${unavailable.message}; a ClusterRole that allows to ${missingRule(selection)} would tell`),
  ),
];
