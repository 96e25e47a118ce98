import type { PreflightFacts } from './facts.ts';
import { blocks, type Finding } from './finding.ts';
import { missingRule } from './wide-reads.ts';

/** Forbidden to look is not "there is nothing": what is not known stands in the way. */
export const checkKnowledge = ({ forbidden }: PreflightFacts): readonly Finding[] =>
  forbidden.map(({ selection, why, unavailable }) =>
    blocks(
      'ForbiddenToLook',
      `nobody knows ${why}: ${unavailable.message}`,
      `a Role or ClusterRole that allows: ${missingRule(selection)}`,
    ),
  );
