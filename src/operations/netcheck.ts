import { PoimenError } from '../errors/poimen-error.ts';
import type { Outcome } from '../errors/exit-codes.ts';
import type { Protocol } from '../kubernetes/pod.ts';
import type { Answer } from '../network/query/answer.ts';
import { policyKey, type PolicyInput } from '../network/policy/policy-input.ts';
import { answerQuestion, type Answered } from '../network/query/answer-question.ts';
import { parseEnd, type EndText } from '../network/query/end-text.ts';
import { findEnd } from '../network/query/find-end.ts';
import { proposeFix, type Fix } from '../network/query/fix.ts';
import { answerOnlyFrom, type OnlyFromAnswer } from '../network/query/only-from.ts';
import type { End } from '../network/query/end.ts';
import type { Context } from './context.ts';
import { loadNetwork } from './load-network.ts';
import { lintNotes, networkNotes } from './network-notes.ts';
import type { NetworkOrigin, NetworkSource } from './network-source.ts';
import { readCni } from './read-cni.ts';

interface Asked {
  readonly source: NetworkSource;
  readonly port?: number;
  readonly protocol?: Protocol;
  /** A name of `cniProfiles`. */
  readonly cni?: string;
}

export interface NetcheckRequest extends Asked {
  readonly from: string;
  readonly to: string;
  readonly expect?: 'allowed' | 'denied';
  /** Look for the rule that would open the path. */
  readonly fix: boolean;
}

export interface OnlyFromRequest extends Asked {
  readonly only: readonly string[];
  readonly to: string;
}

/** The keys are a stable interface: schemas/netcheck.v1.json. */
export interface NetcheckResult extends Answer {
  readonly kind: 'query';
  readonly source: NetworkOrigin;
  readonly expectation?: { readonly expected: 'allowed' | 'denied'; readonly met: boolean };
  readonly fix?: Fix;
}

export interface OnlyFromResult extends OnlyFromAnswer {
  readonly kind: 'onlyFrom';
  readonly source: NetworkOrigin;
}

/** @throws PoimenError usage: an end, a port or a source that cannot be used; refused: the cluster cannot be read. */
export const netcheck = async (request: NetcheckRequest, context: Context): Promise<NetcheckResult> => {
  const ends = [
    { role: 'FROM', text: readEnd(request.from, 'FROM') },
    { role: 'TO', text: readEnd(request.to, 'TO') },
  ] as const;
  const cni = readCni(request.cni);
  const network = await loadNetwork(request.source, ends.flatMap(namespaceIn), context);
  const { inventory, namespace } = network;
  const [from, to] = ends.map(({ role, text }) => findEnd(text, { inventory, namespace, role }));
  if (from === undefined || to === undefined) throw new Error('there are two ends');
  const answered = answerQuestion(inventory, { from, to, ...portOf(request) }, cni);
  const { answer } = answered;
  return {
    kind: 'query',
    source: network.origin,
    ...answer,
    notes: [...answer.notes, ...networkNotes(network), ...lintNotes(policiesIn(answered), inventory, answered.world.engine)],
    ...(request.expect === undefined ? {} : { expectation: { expected: request.expect, met: answer.verdict === request.expect } }),
    ...(request.fix ? { fix: proposeFix(answered) } : {}),
  };
};

/** Whether nobody but those reaches the port. Throws as `netcheck`. */
export const netcheckOnlyFrom = async (request: OnlyFromRequest, context: Context): Promise<OnlyFromResult> => {
  const onlyTexts = request.only.map((text) => ({ role: '--only-from', text: readEnd(text, '--only-from') }));
  const toText = { role: 'TO', text: readEnd(request.to, 'TO') };
  const cni = readCni(request.cni);
  const network = await loadNetwork(request.source, [...onlyTexts, toText].flatMap(namespaceIn), context);
  const { inventory, namespace } = network;
  const find = ({ role, text }: { readonly role: string; readonly text: EndText }): End => findEnd(text, { inventory, namespace, role });
  const { answer, meant } = answerOnlyFrom(inventory, { only: onlyTexts.map(find), to: find(toText), ...portOf(request) }, cni);
  const lints = meant.flatMap((answered) => lintNotes(policiesIn(answered), inventory, answered.world.engine));
  const notes = [...answer.notes, ...networkNotes(network), ...lints];
  return { kind: 'onlyFrom', source: network.origin, ...answer, notes: [...new Map(notes.map((note) => [note.text, note])).values()] };
};

/** How the command ends. What was expected and is not so is a no, whatever it is instead. */
export const outcomeOf = (result: NetcheckResult | OnlyFromResult): Outcome => {
  if (result.kind === 'query' && result.expectation !== undefined) return result.expectation.met ? 'done' : 'no';
  return outcomes[result.verdict];
};

const outcomes = { allowed: 'done', yes: 'done', denied: 'no', no: 'no', depends: 'unknown', mixed: 'unknown' } as const;

/** Those that speak for one of the ends: whoever asks about these looks at nothing else. */
const policiesIn = ({ answer, world }: Answered): readonly PolicyInput[] => {
  const keys = new Set(
    answer.paths.flatMap(({ egress, ingress }) => [...egress.policies, ...ingress.policies]).map(({ kind, policy }) => `${kind} ${policy}`),
  );
  return world.inventory.policies.filter((policy) => keys.has(policyKey(policy)));
};

const portOf = ({ port, protocol }: Asked): { readonly port?: number; readonly protocol?: Protocol } => ({
  ...(port === undefined ? {} : { port }),
  ...(protocol === undefined ? {} : { protocol }),
});

const readEnd = (text: string, role: string): EndText => {
  const parsed = parseEnd(text);
  if (parsed.kind === 'end') return parsed.end;
  throw new PoimenError({
    outcome: 'usage',
    code: 'BadEnd',
    summary: `${role}: ${parsed.message}`,
    nextSteps: ['write deploy/NAME.NAMESPACE, app=x,ns=NAMESPACE, 10.0.0.7 or 10.0.0.0/8'],
  });
};

const namespaceIn = ({ text }: { readonly text: EndText }): readonly string[] => {
  if (text.kind === 'reference' && ['ns', 'namespace', 'namespaces'].includes(text.kindText)) return [text.name];
  return 'namespace' in text && text.namespace !== undefined ? [text.namespace] : [];
};
