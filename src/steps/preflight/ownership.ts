import { ownersOf } from '../../ownership/owners-of.ts';
import type { PreflightFacts } from './facts.ts';
import { asFinding, warns, type Finding } from './finding.ts';

/** Nobody else moves the Service's selector or scales the workloads. */
export const checkOwnership = (facts: PreflightFacts): readonly Finding[] => {
  const { input, service, from, to } = facts;
  return [
    { reference: input.service, object: service },
    { reference: input.from, object: from.object },
    { reference: input.to, object: to.object },
  ].flatMap(({ reference, object }) =>
    object === undefined
      ? []
      : ownersOf(reference, object, facts).map(({ code, reason, nextSteps, effect }) =>
          effect === 'mention' ? warns(reason) : asFinding({ code, reason, nextSteps }),
        ),
  );
};
