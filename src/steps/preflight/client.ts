import { fullName, selectionKey } from '../../kubernetes/reference.ts';
import { missingObject } from '../blockers.ts';
import { clientSelections } from '../policies.ts';
import type { PreflightFacts } from './facts.ts';
import { asFinding, blocks, warns, type Finding } from './finding.ts';

/** There is a client to ask from, and the policies let it reach a pod that does not exist yet. */
export const checkClient = ({ input, client, policies, targetPort, unknown }: PreflightFacts): readonly Finding[] => {
  if (client === undefined) return [];
  const own = new Set(clientSelections(client.reference).map(selectionKey));
  if (unknown.some(({ selection }) => own.has(selectionKey(selection)))) return [];
  if (client.object === undefined) return [asFinding(missingObject(client.reference))];
  const name = fullName(client.reference);
  const findings: Finding[] = [];
  if (client.running.length === 0)
    findings.push(
      blocks(
        'ClientNotRunning',
        `${name} has no running pod: nobody uses the Service, and nobody can be asked`,
        'start it, or name another client',
      ),
    );
  const path = `${name} to a pod of ${fullName(input.to)} on TCP ${targetPort}`;
  if (policies?.verdict === 'denied')
    findings.push(
      blocks(
        'PathDenied',
        `the policies do not let ${path}: ${policies.reason}`,
        'add the missing rule before the hand-over: afterwards the client would get no answer',
      ),
    );
  if (policies?.verdict === 'depends') findings.push(warns(`whether the policies let ${path} cannot be said: ${policies.reason}`));
  return findings;
};
