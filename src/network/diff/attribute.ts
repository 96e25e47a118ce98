import type { CniFacts } from '../policy/cni-facts.ts';
import { createPolicyEngine } from '../policy/create-policy-engine.ts';
import type { PolicyEngine } from '../policy/engine.ts';
import type { PolicyInput } from '../policy/policy-input.ts';
import { worldOf, type NetworkState } from '../matrix/network-state.ts';
import { compareOpenPorts, mergeReaches, type ChangedPorts, type OpenPorts } from '../matrix/open-ports.ts';
import type { Member, TablePeer } from '../matrix/table-peers.ts';
import type { ChangeEffect, ObjectChange } from './object-change.ts';

/** One end of a pair, as it was and as it is. */
export interface ChangedEnd {
  readonly before: TablePeer;
  readonly after: TablePeer;
}

export interface AttributionContext {
  readonly before: NetworkState;
  readonly after: NetworkState;
  readonly changes: readonly ObjectChange[];
  readonly cni?: CniFacts;
}

/** Finds which changes are behind the changed ports of a pair. */
export type Attribute = (client: ChangedEnd, server: ChangedEnd, ports: readonly ChangedPorts[]) => readonly ObjectChange[];

/**
 * A change is behind it when the ports would be otherwise now without it. Where that is true of none, because one is enough and there
 * are several: when it alone would have changed them. And where neither is, all together that could have a part in it.
 */
export const createAttribution = (context: AttributionContext): Attribute => {
  const { before, after, changes } = context;
  const engines = new Engines(context);
  const known = new Map<string, readonly ObjectChange[]>();

  const find: Attribute = (client, server, ports) => {
    const candidates = changes.filter(({ effect }) => mayMatter(effect, client, server));
    const portsNow = portsOf(after.engine, client.after.members, server.after.members);
    const portsThen = portsOf(before.engine, client.before.members, server.before.members);
    const matters = candidates.filter(({ effect }) => differs(ports, portsNow, engines.without(effect, client, server)));
    if (matters.length > 0) return matters;
    const enough = candidates.filter(({ effect }) => differs(ports, portsThen, engines.alone(effect, client, server)));
    return enough.length > 0 ? enough : candidates;
  };

  return (client, server, ports) => {
    const key = `${endKey(client, changes)} ${endKey(server, changes)}`;
    const found = known.get(key) ?? find(client, server, ports);
    known.set(key, found);
    return found;
  };
};

/** Equal for ends that no policy tells apart, before or after, and that the same changes may concern. */
const endKey = ({ before, after }: ChangedEnd, changes: readonly ObjectChange[]): string => {
  const own = changes.findIndex(({ effect }) => effect.kind === 'workload' && effect.id === after.id);
  const classes = [before, after].map(({ members }) => members.map(({ peerClass }) => peerClass.id).join('.'));
  return `${classes.join('/')}${own < 0 ? '' : `#${own}`}`;
};

const mayMatter = (effect: ChangeEffect, client: ChangedEnd, server: ChangedEnd): boolean => {
  const ends = [client.after, server.after];
  switch (effect.kind) {
    case 'policy':
      return effect.namespace === undefined || ends.some(({ workload }) => workload?.namespace === effect.namespace);
    case 'namespace':
      return ends.some(({ workload }) => workload?.namespace === effect.name);
    case 'workload':
      return ends.some(({ id }) => id === effect.id);
    case 'presence':
      return false;
  }
};

const portsOf = (engine: PolicyEngine, clients: readonly Member[], servers: readonly Member[]): readonly OpenPorts[] =>
  mergeReaches(clients.flatMap((client) => servers.map((server) => engine.reach(client.peer, server.peer))));

const differs = (where: readonly ChangedPorts[], one: readonly OpenPorts[], other: readonly OpenPorts[]): boolean =>
  compareOpenPorts(one, other).some((range) =>
    where.some(({ protocol, from, to }) => range.protocol === protocol && range.from <= to && range.to >= from),
  );

/** The world after all changes but one, and the world before with one change. */
class Engines {
  private readonly context: AttributionContext;
  private readonly derived = new Map<ChangeEffect, { without?: PolicyEngine; alone?: PolicyEngine }>();

  constructor(context: AttributionContext) {
    this.context = context;
  }

  without(effect: ChangeEffect, client: ChangedEnd, server: ChangedEnd): readonly OpenPorts[] {
    const { after } = this.context;
    if (effect.kind === 'workload') {
      return portsOf(
        after.engine,
        client[client.after.id === effect.id ? 'before' : 'after'].members,
        server[server.after.id === effect.id ? 'before' : 'after'].members,
      );
    }
    return portsOf(this.engine(effect, 'without'), client.after.members, server.after.members);
  }

  alone(effect: ChangeEffect, client: ChangedEnd, server: ChangedEnd): readonly OpenPorts[] {
    const { before } = this.context;
    if (effect.kind === 'workload') {
      return portsOf(
        before.engine,
        client[client.after.id === effect.id ? 'after' : 'before'].members,
        server[server.after.id === effect.id ? 'after' : 'before'].members,
      );
    }
    return portsOf(this.engine(effect, 'alone'), client.before.members, server.before.members);
  }

  private engine(effect: ChangeEffect, which: 'without' | 'alone'): PolicyEngine {
    const derived = this.derived.get(effect) ?? {};
    this.derived.set(effect, derived);
    return (derived[which] ??= this.derive(effect, which));
  }

  private derive(effect: ChangeEffect, which: 'without' | 'alone'): PolicyEngine {
    const { before, after, cni } = this.context;
    const state = which === 'without' ? after : before;
    switch (effect.kind) {
      case 'policy':
        return withPolicy(state.engine, effect.policy, which === 'without' ? effect.undone : effect.alone);
      case 'namespace': {
        const object = which === 'without' ? effect.before : effect.after;
        const others = state.inventory.namespaces.filter(({ metadata }) => metadata.name !== effect.name);
        return createPolicyEngine(
          worldOf({ ...state.inventory, namespaces: object === undefined ? others : [...others, object] }, [], cni),
        );
      }
      default:
        return state.engine;
    }
  }
}

const withPolicy = (engine: PolicyEngine, policy: PolicyInput, variant: PolicyInput | undefined): PolicyEngine =>
  variant === undefined ? engine.withoutPolicy(policy) : engine.withPolicy(variant);
