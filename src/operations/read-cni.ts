import { nearestName } from '../errors/nearest-name.ts';
import { PoimenError } from '../errors/poimen-error.ts';
import { cniProfiles, type CniProfile } from '../network/inventory/cni-profiles.ts';

/** @throws PoimenError `UnknownCni`: outcome usage. */
export const readCni = (name: string | undefined): CniProfile | undefined => {
  if (name === undefined) return undefined;
  const known = Object.keys(cniProfiles);
  const profile = Object.hasOwn(cniProfiles, name) ? cniProfiles[name] : undefined;
  if (profile !== undefined) return profile;
  const nearest = nearestName(name, known);
  throw new PoimenError({
    outcome: 'usage',
    code: 'UnknownCni',
    summary: `nothing is known of a network plugin "${name}"`,
    detail: `known: ${known.join(', ')}`,
    nextSteps: nearest === undefined ? ['leave --cni out: what it decides is "depends" then'] : [`did you mean --cni ${nearest}?`],
  });
};
