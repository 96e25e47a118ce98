import { endpointsOf, type EndpointSlice } from '../kubernetes/endpoint-slice.ts';
import type { ObjectReference } from '../kubernetes/reference.ts';
import { endpointSlicesOf } from '../steps/selections.ts';
import type { RunResult } from './event.ts';
import type { Observation } from './observation.ts';
import { OutageRecord } from './outage.ts';

/** Follows who is behind a Service, for as long as a run takes. */
export class BackendWatch {
  private readonly observation: Observation;
  private readonly service: ObjectReference;
  private readonly record = new OutageRecord();
  private readonly unsubscribe: () => void;
  private readonly changed: (ready: readonly string[]) => void;
  private last: string | undefined;

  /** `changed` is called with the names of the pods that get new connections, at once and whenever they change. */
  constructor(observation: Observation, service: ObjectReference, changed: (ready: readonly string[]) => void) {
    this.observation = observation;
    this.service = service;
    this.changed = changed;
    this.look();
    this.unsubscribe = observation.onChange(() => this.look());
  }

  private look(): void {
    const { ready } = endpointsOf(this.observation.list<EndpointSlice>(endpointSlicesOf(this.service)));
    const names = ready.map(({ podName, address }) => podName ?? address).toSorted();
    const key = names.join(' ');
    if (key === this.last) return;
    this.last = key;
    this.record.observe(this.observation.moment, names.length);
    this.changed(names);
  }

  outage(): NonNullable<RunResult['outage']> {
    return this.record.result(this.observation.moment);
  }

  stop(): void {
    this.unsubscribe();
  }
}
