import { createAlgebra, type Algebra } from './algebra.ts';
import { ClassReaches, type ClassState } from './class-reach.ts';
import { changeClassState, createClassState } from './class-state.ts';
import { compilePolicy } from './compile-policy.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import type { ClassReach, PathQuestion, PathVerdict, PeerClass, PolicyEngine, PolicyWorld, Reach } from './engine.ts';
import { PairReaches } from './pair-reach.ts';
import type { PolicyPeer } from './peer.ts';
import { indexPolicies } from './policy-index.ts';
import { policyKey, type PolicyInput } from './policy-input.ts';
import { createReachTable, type ReachTable } from './reach-table.ts';
import { readSurroundings, type Surroundings } from './surroundings.ts';

/** Evaluates policies. Cheap to make: classes, and verdicts about them, are worked out when they are asked for. */
export const createPolicyEngine = (world: PolicyWorld): PolicyEngine => {
  const algebra = createAlgebra();
  const ids = { next: 0 };
  return new Engine({
    shared: { peers: world.peers, surroundings: readSurroundings(world), algebra, reaches: createReachTable(algebra.verdicts), ids },
    policies: new Map(world.policies.map((policy) => [policyKey(policy), compilePolicy(policy, ids.next++)])),
  });
};

/** The same for an engine and all that are made from it. */
interface Shared {
  readonly peers: readonly PolicyPeer[];
  readonly surroundings: Surroundings;
  readonly algebra: Algebra;
  readonly reaches: ReachTable;
  readonly ids: { next: number };
}

interface EngineParts {
  readonly shared: Shared;
  /** By kind and name. */
  readonly policies: ReadonlyMap<string, CompiledPolicy>;
  readonly classState?: ClassState;
}

class Engine implements PolicyEngine {
  private readonly shared: Shared;
  private readonly policies: ReadonlyMap<string, CompiledPolicy>;
  private classState: ClassState | undefined;
  private classReaches: ClassReaches | undefined;
  private pairs: PairReaches | undefined;

  constructor({ shared, policies, classState }: EngineParts) {
    this.shared = shared;
    this.policies = policies;
    this.classState = classState;
  }

  path(question: PathQuestion): PathVerdict {
    return this.pairReaches().path(question);
  }

  reach(client: PolicyPeer, server: PolicyPeer): Reach {
    return this.pairReaches().reach(client, server);
  }

  classes(): readonly PeerClass[] {
    return this.state().universe.classes;
  }

  reachOfClasses(client: PeerClass, server: PeerClass): ClassReach {
    return this.reachOf(this.reachesOfClasses().reachNumber(client, server));
  }

  reachRow(server: PeerClass, into = new Uint32Array(this.classes().length)): Uint32Array {
    return this.reachesOfClasses().reachRow(server, into);
  }

  reachOf(number: number): ClassReach {
    return this.shared.reaches.at(number);
  }

  classesSelectedBy(policy: PolicyInput): readonly PeerClass[] {
    const { universe, selections } = this.state();
    const id = this.policies.get(policyKey(policy))?.id;
    return universe.classes.filter((peerClass) => selections[peerClass.id]?.some((selected) => selected.policy.id === id));
  }

  withPolicy(policy: PolicyInput): PolicyEngine {
    return this.change(policy, compilePolicy(policy, this.shared.ids.next++));
  }

  withoutPolicy(policy: PolicyInput): PolicyEngine {
    return this.change(policy, undefined);
  }

  private change(policy: PolicyInput, added: CompiledPolicy | undefined): PolicyEngine {
    const key = policyKey(policy);
    const removed = this.policies.get(key);
    const changed = new Map(this.policies);
    changed.delete(key);
    if (added !== undefined) changed.set(key, added);
    const policies = [...changed.values()];
    const { shared, classState } = this;
    const state = classState && changeClassState(classState, { removed, added, policies }, shared.surroundings);
    return new Engine({ shared, policies: changed, ...(state === undefined ? {} : { classState: state }) });
  }

  private pairReaches(): PairReaches {
    const { surroundings, algebra, reaches } = this.shared;
    this.pairs ??= new PairReaches(indexPolicies([...this.policies.values()]), surroundings, algebra, reaches);
    return this.pairs;
  }

  private state(): ClassState {
    const { peers, surroundings } = this.shared;
    this.classState ??= createClassState(peers, [...this.policies.values()], surroundings);
    return this.classState;
  }

  private reachesOfClasses(): ClassReaches {
    this.classReaches ??= new ClassReaches(this.state(), this.shared.algebra, this.shared.reaches);
    return this.classReaches;
  }
}
