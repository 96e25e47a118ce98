import type { Protocol } from '../../kubernetes/pod.ts';
import type { CniProfile } from '../inventory/cni-profiles.ts';
import type { Inventory } from '../inventory/inventory.ts';
import { placeOf } from '../inventory/source-object.ts';
import { aggregate, type Answer, type PathAnswer, type ServiceAnswer } from './answer.ts';
import { connectionsOf, type Connection } from './connections.ts';
import { dnsNotes } from './dns.ts';
import type { End } from './end.ts';
import { cutAddresses, judgeConnections, openWorld } from './judge-connections.ts';
import { pathNotes } from './path-notes.ts';
import type { QueryWorld } from './query-world.ts';
import { dialledPort, portMissing, targetOf, type DialledPort } from './service-port.ts';

export interface Question {
  readonly from: End;
  readonly to: End;
  /** As the client dials it: with a Service its port, else the pod's. */
  readonly port?: number;
  readonly protocol?: Protocol;
}

/** An answer, and what it was found by: for whoever goes on asking. */
export interface Answered {
  readonly answer: Answer;
  readonly world: QueryWorld;
  readonly connections: readonly Connection[];
}

/** @throws PoimenError usage: no port is said, or the Service does not have it. */
export const answerQuestion = (inventory: Inventory, question: Question, cni?: CniProfile): Answered => {
  const { from, to } = question;
  const dialled = dialledBy(question);
  const { pairs, notes } = connectionsOf(from.members, to, dialled, inventory);
  const world = openWorld(inventory, pairs, cni);
  const connections = cutAddresses(pairs, world);
  const paths = judgeConnections(connections, world, to.kind === 'service' ? { dialled } : {});
  const verdict =
    to.kind === 'service' && to.entry.service.spec.type === 'ExternalName'
      ? aggregateUnknown(paths)
      : aggregate(paths.map((path) => path.verdict));
  const deciding = paths.find((path) => path.verdict === 'denied') ?? paths.find((path) => path.verdict === 'depends') ?? paths[0];
  return {
    answer: {
      verdict,
      from: from.title,
      to: to.title,
      ...dialled,
      ...(to.kind === 'service' ? { service: serviceAnswer(to, dialled) } : {}),
      ...(deciding === undefined ? {} : { egress: deciding.egress, ingress: deciding.ingress }),
      paths,
      notes: [...notes, ...pathNotes(connections, world), ...(to.kind === 'service' ? dnsNotes(connections, to.entry, world) : [])],
    },
    world,
    connections,
  };
};

const dialledBy = ({ to, port, protocol }: Question): DialledPort => {
  if (to.kind === 'service') return dialledPort(to.entry, port, protocol);
  if (port === undefined) throw portMissing();
  return { port, protocol: protocol ?? 'TCP' };
};

/** Which address a name outside has is not known: only what holds of all of them is an answer. */
const aggregateUnknown = (paths: readonly PathAnswer[]): Answer['verdict'] => {
  const verdict = aggregate(paths.map((path) => path.verdict));
  return verdict === 'mixed' ? 'depends' : verdict;
};

const serviceAnswer = ({ entry }: Extract<End, { kind: 'service' }>, dialled: DialledPort): ServiceAnswer => {
  const { service, namespace, source } = entry;
  const targetPort = targetOf(service, dialled);
  const index = service.spec.ports?.findIndex(({ port, protocol = 'TCP' }) => port === dialled.port && protocol === dialled.protocol) ?? -1;
  const place = placeOf(source, index < 0 ? ['spec'] : ['spec', 'ports', index]);
  return {
    name: service.metadata.name,
    namespace,
    type: service.spec.clusterIP === 'None' ? 'headless' : (service.spec.type ?? 'ClusterIP'),
    ...(service.spec.clusterIP === undefined || service.spec.clusterIP === 'None' ? {} : { clusterIP: service.spec.clusterIP }),
    port: dialled.port,
    ...(targetPort === undefined ? {} : { targetPort }),
    ...(place === undefined ? {} : { source: place }),
  };
};
