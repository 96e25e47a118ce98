import { fullName } from '../../kubernetes/reference.ts';
import { isBooking } from '../devices.ts';
import type { PreflightFacts } from './facts.ts';
import { blocks, type Finding } from './finding.ts';

/** What the new pods need besides a node: their claims bound, their RuntimeClass there. A pod that has a node proves it. */
export const checkDependencies = ({ input, to, claims, runtimeClasses, unknown }: PreflightFacts): readonly Finding[] => {
  if (to.object === undefined || to.pods.some(isBooking)) return [];
  const { spec } = to.object.spec.template;
  const unread = new Set(unknown.map(({ selection }) => selection.resource.kind));
  const name = fullName(input.to);
  const findings: Finding[] = [];
  const claimNames = new Set((spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []));
  for (const claimName of unread.has('PersistentVolumeClaim') ? [] : claimNames) {
    const claim = claims.find(({ metadata }) => metadata.name === claimName);
    const where = `persistentvolumeclaim/${claimName}`;
    if (claim === undefined) {
      findings.push(
        blocks('ClaimMissing', `the pods of ${name} mount ${where}, which does not exist`, 'create it, with what it is to hold'),
      );
    } else if (claim.status?.phase !== 'Bound' || claim.metadata.deletionTimestamp !== undefined) {
      const state = claim.metadata.deletionTimestamp === undefined ? (claim.status?.phase ?? 'without a phase') : 'being deleted';
      findings.push(
        blocks(
          'ClaimNotBound',
          `the pods of ${name} mount ${where}, which is ${state}, not Bound`,
          'bind it first; one that waits for its first consumer is bound by a short pod that mounts it',
        ),
      );
    }
  }
  const { runtimeClassName } = spec;
  if (
    runtimeClassName !== undefined &&
    !unread.has('RuntimeClass') &&
    !runtimeClasses.some(({ metadata }) => metadata.name === runtimeClassName)
  ) {
    findings.push(
      blocks(
        'RuntimeClassMissing',
        `the pods of ${name} want runtimeclass/${runtimeClassName}, which does not exist: none would be created`,
        'install it, or correct runtimeClassName',
      ),
    );
  }
  return findings;
};
