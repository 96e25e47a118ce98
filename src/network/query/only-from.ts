import type { CniProfile } from '../inventory/cni-profiles.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { Protocol } from '../../kubernetes/pod.ts';
import { serviceName } from '../inventory/service-entry.ts';
import type { Answer, AnswerVerdict, PathAnswer } from './answer.ts';
import { answerQuestion, type Answered } from './answer-question.ts';
import { connectionsOf } from './connections.ts';
import type { PodPeer } from '../policy/peer.ts';
import type { End, Member } from './end.ts';
import { memberOf } from './find-end.ts';
import { hypotheticalClients, isCovered } from './hypothetical-clients.ts';
import { cutAddresses, judgeConnections, openWorld } from './judge-connections.ts';
import type { DialledPort } from './service-port.ts';

/** Whether these and nobody else reach a port. */
export interface OnlyFromAnswer {
  readonly verdict: 'yes' | 'no' | 'depends';
  readonly only: readonly string[];
  readonly to: string;
  readonly port: number;
  readonly protocol: Protocol;
  /** Whether those who are meant to reach it do. */
  readonly meant: readonly { readonly client: string; readonly verdict: AnswerVerdict; readonly reason: string }[];
  /** Who else does. */
  readonly others: readonly OtherClient[];
  /** What no NetworkPolicy keeps out. */
  readonly cannotExclude: readonly string[];
  readonly notes: Answer['notes'];
}

export interface OtherClient {
  /** `shop/till[Deployment]`; `any pod in namespace shop`; an address range. */
  readonly client: string;
  /** It is not there: policies would let it in. */
  readonly hypothetical: boolean;
  readonly verdict: 'allowed' | 'depends';
  readonly policy?: string;
  readonly rule?: number;
  readonly source?: string;
  readonly reason: string;
}

export interface OnlyFromQuestion {
  readonly only: readonly End[];
  readonly to: End;
  readonly port?: number;
  readonly protocol?: Protocol;
}

/** An answer, and what it was found by. */
export interface AnsweredOnlyFrom {
  readonly answer: OnlyFromAnswer;
  /** For each of those who are meant. */
  readonly meant: readonly Answered[];
}

/**
 * Over all pods that are there, by both halves; and over those that could be made, by the server's half alone: whoever makes a pod
 * chooses its labels.
 *
 * @throws PoimenError usage: no port is said, or the Service does not have it.
 */
export const answerOnlyFrom = (inventory: Inventory, question: OnlyFromQuestion, cni?: CniProfile): AnsweredOnlyFrom => {
  const { only, to } = question;
  const asked = {
    to,
    ...(question.port === undefined ? {} : { port: question.port }),
    ...(question.protocol === undefined ? {} : { protocol: question.protocol }),
  };
  const meant = only.map((from) => answerQuestion(inventory, { ...asked, from }, cni));
  const answers = meant.map(({ answer }) => answer);
  const wanted = only.flatMap(({ members }) => members);
  const isWanted = (pod: PodPeer): boolean => only.some((end) => end.kind === 'pods' && end.covers?.(pod) === true);
  const [first] = answers;
  if (first === undefined) throw new Error('somebody has to be named');

  const dialled: DialledPort = { port: first.port, protocol: first.protocol };
  const judgeFor = (clients: readonly Member[], seen: Inventory): readonly PathAnswer[] => {
    const { pairs } = connectionsOf(clients, to, dialled, seen);
    const world = openWorld(seen, pairs, cni);
    return judgeConnections(cutAddresses(pairs, world), world, {
      mergeDenied: true,
      ...(to.kind === 'service' ? { dialled } : {}),
    });
  };
  const invented = hypotheticalClients(inventory, to.members, wanted, isWanted);
  const others = [
    ...judgeFor(presentOthers(inventory, wanted), inventory)
      .filter(({ verdict, translation }) => verdict !== 'denied' && translation?.verdict !== 'denied')
      .map((path) => otherClient(path.client.id, false, path.verdict === 'allowed' ? 'allowed' : 'depends', path)),
    ...judgeFor(invented.clients, { ...inventory, namespaces: [...inventory.namespaces, ...invented.namespaces] })
      .filter(({ ingress, translation }) => ingress.verdict !== 'denied' && translation?.verdict !== 'denied')
      .map((path) => otherClient(path.client.id, true, openVerdict(path), path)),
  ];
  const distinct = [...new Map(others.toReversed().map((other) => [other.client, other])).values()].toReversed();
  const shown = distinct.filter(
    (other) =>
      !isCovered(
        other.client,
        distinct.map(({ client }) => client),
      ),
  );
  const answer: OnlyFromAnswer = {
    verdict: verdictOf(shown, answers),
    only: only.map(({ title }) => title),
    to: to.title,
    port: first.port,
    protocol: first.protocol,
    meant: answers.map(({ from, verdict, egress, ingress }) => ({ client: from, verdict, reason: reasonOf(verdict, egress, ingress) })),
    others: shown,
    cannotExclude: cannotExclude(inventory, to),
    notes: first.notes,
  };
  return { answer, meant };
};

/** Of the server's half and the Service's translation: what the client's own half would say is not known. */
const openVerdict = ({ ingress, translation }: PathAnswer): OtherClient['verdict'] =>
  ingress.verdict === 'allowed' && translation?.verdict !== 'depends' ? 'allowed' : 'depends';

const verdictOf = (others: readonly OtherClient[], answers: readonly Answer[]): OnlyFromAnswer['verdict'] => {
  if (others.some(({ verdict }) => verdict === 'allowed') || answers.some(({ verdict }) => verdict === 'denied' || verdict === 'mixed'))
    return 'no';
  return others.length > 0 || answers.some(({ verdict }) => verdict === 'depends') ? 'depends' : 'yes';
};

const reasonOf = (verdict: AnswerVerdict, egress: Answer['egress'], ingress: Answer['ingress']): string =>
  [egress, ingress].flatMap((half) => (half !== undefined && (half.verdict === verdict || verdict === 'mixed') ? [half.reason] : []))[0] ??
  verdict;

const otherClient = (
  client: string,
  hypothetical: boolean,
  verdict: OtherClient['verdict'],
  { egress, ingress, translation }: Answer['paths'][number],
): OtherClient => {
  const deciding = !hypothetical && ingress.verdict === 'allowed' && egress.verdict === 'depends' ? egress : ingress;
  const { policy, rule, source } = deciding;
  return {
    client,
    hypothetical,
    verdict,
    ...(policy === undefined ? {} : { policy }),
    ...(rule === undefined ? {} : { rule }),
    ...(source === undefined ? {} : { source }),
    reason: translation?.verdict === 'depends' && deciding.verdict === 'allowed' ? translation.reason : deciding.reason,
  };
};

/** Pods on their node's network are listed among what cannot be excluded. */
const presentOthers = ({ peers }: Inventory, wanted: readonly Member[]): readonly Member[] => {
  const meant = new Set(wanted.map(({ peer }) => peer));
  return peers.flatMap((owner) =>
    owner.pods.filter(({ peer }) => !meant.has(peer) && !peer.hostNetwork).map((pod) => memberOf(owner, pod)),
  );
};

/** Source: Kubernetes, "Network Policies", "What you can't do with network policies". */
const cannotExclude = ({ peers, entrances }: Inventory, to: End): readonly string[] => {
  const onHost = peers.filter(({ pods }) => pods.some(({ peer }) => peer.hostNetwork)).map(({ id }) => id);
  const targets = new Set([...(to.kind === 'service' ? [serviceName(to.entry)] : []), ...to.members.map(({ of }) => of)]);
  const ways = entrances.filter((entrance) => targets.has(entrance.to));
  return [
    "whatever runs on a server pod's own node: the kubelet, and every process of the host",
    onHost.length === 0 ? "pods on their node's network (none is known here)" : `pods on their node's network: ${onHost.join(', ')}`,
    "the API server's proxy (services/proxy, pods/proxy), which comes from a control plane node",
    'kubectl port-forward and exec, which go through the kubelet',
    ...ways.map(({ kind, object, seenAs }) => `what comes in by ${kind} ${object}: policies see ${seenAs}`),
  ];
};
