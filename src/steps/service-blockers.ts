import { fullName, type ObjectReference } from '../kubernetes/reference.ts';
import type { Service } from '../kubernetes/service.ts';
import { controllersOf } from '../ownership/controller.ts';
import { kserveOwnersOf } from '../ownership/kserve.ts';
import { blocker } from './blockers.ts';
import type { Blocker } from './step-kind.ts';

/** Why a Service's selector cannot be moved, whatever it is moved to. */
export const serviceBlockers = (reference: ObjectReference, service: Service): readonly Blocker[] => {
  const name = fullName(reference);
  if (service.spec.type === 'ExternalName') {
    return [
      blocker(
        'ServiceIsExternalName',
        `${name} is an ExternalName (${service.spec.externalName ?? 'no name'}): it has no pods to move`,
        'hand over the Service that this name leads to',
      ),
    ];
  }
  const blockers: Blocker[] = [];
  if (Object.keys(service.spec.selector ?? {}).length === 0) {
    blockers.push(
      blocker(
        'ServiceWithoutSelector',
        `${name} has no selector: whoever writes its EndpointSlices decides where it leads`,
        'give it the selector of the workload that serves now, or hand over another Service',
      ),
    );
  }
  for (const { code, reason, nextSteps } of [...kserveOwnersOf(reference, service, []), ...controllersOf(reference, service)])
    blockers.push({ code, reason, nextSteps });
  return blockers;
};
