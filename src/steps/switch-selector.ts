import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { formatLabelSelector, matchesEqualities, type Labels } from '../kubernetes/label-selector.ts';
import { isTerminal, type Pod } from '../kubernetes/pod.ts';
import { shortName } from '../kubernetes/reference.ts';
import type { Service } from '../kubernetes/service.ts';
import { probablyBy } from '../ownership/managed-fields.ts';
import { blocker, missingObject, objectBeingDeleted } from './blockers.ts';
import { newSelectorOf } from './new-selector.ts';
import { objectNameOf } from './object-name.ts';
import { podsIn, siblingsOf, workloadSelections } from './selections.ts';
import { serviceBlockers } from './service-blockers.ts';
import type { Blocker, Input, Mutation, StepKind, Trouble } from './step-kind.ts';
import { viewWorkload, workloadKinds, type WorkloadView } from './workload.ts';

const input = z.strictObject({
  service: objectNameOf(['Service'], 'The Service whose selector moves.'),
  to: objectNameOf(workloadKinds, 'The workload that it is to select.'),
  selector: z
    .record(z.string().min(1), z.string())
    .refine((labels) => Object.keys(labels).length > 0, 'an empty selector selects nothing')
    .optional()
    .meta({ description: 'The whole new selector. Default: the matchLabels of `to`.' }),
});

type SwitchSelectorRaw = z.infer<typeof input>;

export interface SwitchSelectorObserved {
  readonly service: Service | undefined;
  readonly to: WorkloadView;
  /** Pods of the Service's namespace that have not finished and are not of `to`. */
  readonly otherPods: readonly Pod[];
}

/**
 * Replaces a Service's selector as a whole, by compare-and-swap: the patch tests the resourceVersion and the old selector. Keys
 * are never merged, so none stays behind (kubernetes#36509, #97970), and the field is never empty or absent on the way
 * (argo-rollouts#4750; kubernetes#103804, where a nil selector leaves orphaned EndpointSlices).
 *
 * The Service itself stays: UID and ClusterIP are the ones that were there before.
 */
export const switchSelector: StepKind<SwitchSelectorRaw, SwitchSelectorObserved> = {
  name: 'switchSelector',
  summary: "Replaces a Service's whole selector, so that it selects another workload.",
  input,
  defaultDeadlineMs: 60_000,

  title: ({ service, to }) => `switch ${shortName(service)} to ${shortName(to)}`,
  access: ({ service, to }) => ({
    reads: [siblingsOf(service), podsIn(service.namespace), ...workloadSelections(to)],
    writes: [service],
  }),

  observe({ service, to }, state) {
    const view = viewWorkload(to, state);
    const otherPods = state.list<Pod>(podsIn(service.namespace)).filter((pod) => !isTerminal(pod) && !view.pods.includes(pod));
    return { service: state.get<Service>(service), to: view, otherPods };
  },

  plan(step, observed) {
    const { service, to, otherPods } = observed;
    if (service === undefined) return { kind: 'blocked', blockers: [missingObject(step.service)] };
    if (to.object === undefined) return { kind: 'blocked', blockers: [missingObject(step.to)] };
    const wish = newSelectorOf(step.to, to.object, step.selector);
    const deleted = service.metadata.deletionTimestamp === undefined ? [] : [objectBeingDeleted(step.service, service)];
    const blockers = [...deleted, ...serviceBlockers(step.service, service), ...('blocker' in wish ? [wish.blocker] : [])];
    if (blockers.length > 0 || 'blocker' in wish) return { kind: 'blocked', blockers };
    if (isDeepStrictEqual(service.spec.selector, wish.selector)) return { kind: 'satisfied' };
    const strangers = otherPods.filter((pod) => matchesEqualities(wish.selector, pod.metadata.labels));
    if (strangers.length > 0) return { kind: 'blocked', blockers: [selectsStrangers(step, wish.selector, strangers)] };
    return { kind: 'change', mutations: [replaceSelector(step, service, wish.selector)] };
  },

  settled(step, { service, to }, before) {
    const name = shortName(step.service);
    if (service === undefined)
      return { done: false, missing: `${name} does not exist any more`, troubles: [replaced(name, 'it was deleted')] };
    const was = before.service;
    if (was !== undefined && was.metadata.uid !== service.metadata.uid) {
      return {
        done: false,
        missing: `${name} is another object now`,
        troubles: [replaced(name, `its UID was ${was.metadata.uid} and is ${service.metadata.uid}`)],
      };
    }
    if (was !== undefined && was.spec.clusterIP !== service.spec.clusterIP) {
      return {
        done: false,
        missing: `${name} has another address now`,
        troubles: [replaced(name, `its ClusterIP was ${was.spec.clusterIP} and is ${service.spec.clusterIP}`)],
      };
    }
    const wish = to.object === undefined ? undefined : newSelectorOf(step.to, to.object, step.selector);
    if (wish === undefined || 'blocker' in wish)
      return { done: false, missing: wish?.blocker.reason ?? `${shortName(step.to)} does not exist` };
    const wanted = formatLabelSelector({ matchLabels: wish.selector });
    if (isDeepStrictEqual(service.spec.selector, wish.selector)) return { done: true, evidence: `${name} selects ${wanted}` };
    const selects = formatLabelSelector({ matchLabels: service.spec.selector ?? {} }) || 'nothing';
    const by = probablyBy(service, ['spec', 'selector']);
    const missing = `${name} selects ${selects}, not ${wanted}`;
    if (was === undefined || was.metadata.resourceVersion === service.metadata.resourceVersion) return { done: false, missing };
    const message = `${missing}; set ${by || 'by nobody knows whom'}`;
    return { done: false, missing, troubles: [{ code: 'SelectorPutBack', object: name, message, graceMs: putBackGraceMs }] };
  },

  undo(step, before) {
    const { service, to } = before;
    const wish = to.object === undefined ? undefined : newSelectorOf(step.to, to.object, step.selector);
    if (service?.spec.selector === undefined || wish === undefined || 'blocker' in wish) return { kind: 'nothing' };
    if (isDeepStrictEqual(service.spec.selector, wish.selector)) return { kind: 'nothing' };
    return {
      kind: 'change',
      mutations: [
        {
          target: step.service,
          patch: [
            { op: 'test', path: '/metadata/uid', value: service.metadata.uid },
            { op: 'test', path: '/spec/selector', value: wish.selector },
            { op: 'replace', path: '/spec/selector', value: service.spec.selector },
          ],
        },
      ],
    };
  },
};

/** The Service has changed since, and not to what was written: for a moment a watch may show an older version. */
const putBackGraceMs = 2000;

const replaceSelector = ({ service: target }: Input<SwitchSelectorRaw>, service: Service, selector: Labels): Mutation => ({
  target,
  patch: [
    { op: 'test', path: '/metadata/resourceVersion', value: service.metadata.resourceVersion },
    { op: 'test', path: '/spec/selector', value: service.spec.selector },
    { op: 'replace', path: '/spec/selector', value: selector },
  ],
});

const selectsStrangers = ({ service, to }: Input<SwitchSelectorRaw>, selector: Labels, strangers: readonly Pod[]): Blocker =>
  blocker(
    'SelectorMatchesOtherPods',
    `${formatLabelSelector({ matchLabels: selector })} also selects pods that are not of ${shortName(to)}: ${strangers.map(({ metadata }) => metadata.name).join(', ')}`,
    `relabel or remove them; ${shortName(service)} would send them a share of the traffic`,
  );

const replaced = (object: string, message: string): Trouble => ({ code: 'ServiceReplaced', object, message, graceMs: 0 });
