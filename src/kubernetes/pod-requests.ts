import { isSidecar, type Container, type PodSpec, type ResourceList } from './pod.ts';
import { addQuantities, parseQuantity } from './quantity.ts';

/** Amounts by resource name, in base units (cores, bytes, devices). */
export type ResourceAmounts = Readonly<Record<string, number>>;

/**
 * What the scheduler books for a pod: the containers and sidecars together, or the hungriest moment of the init phase if
 * that is more, plus the overhead. A limit without a request is a request. Pod-level requests stand for the containers'.
 *
 * Source: Kubernetes, "Init Containers" ("Resource sharing within containers"), "Sidecar Containers", "Pod Overhead",
 * "Assign Pod-level CPU and memory resources".
 */
export const podRequests = (spec: PodSpec): ResourceAmounts => {
  let running = sum(spec.containers.map(containerRequests));
  let initPeak: ResourceAmounts = {};
  let sidecarsSoFar: ResourceAmounts = {};
  for (const container of spec.initContainers ?? []) {
    const requests = containerRequests(container);
    if (isSidecar(container)) {
      running = add(running, requests);
      sidecarsSoFar = add(sidecarsSoFar, requests);
      initPeak = peak(initPeak, sidecarsSoFar);
    } else {
      initPeak = peak(initPeak, add(sidecarsSoFar, requests));
    }
  }
  return add({ ...peak(running, initPeak), ...effectiveRequests(spec.resources) }, amountsOf(spec.overhead));
};

const containerRequests = (container: Container): ResourceAmounts => effectiveRequests(container.resources);

const effectiveRequests = (resources: Container['resources']): ResourceAmounts => ({
  ...amountsOf(resources?.limits),
  ...amountsOf(resources?.requests),
});

/** A resource list with its quantities read. Throws `MalformedQuantityError`. */
export const amountsOf = (list: ResourceList | undefined): ResourceAmounts =>
  Object.fromEntries(Object.entries(list ?? {}).map(([name, quantity]) => [name, parseQuantity(quantity)]));

const combine = (a: ResourceAmounts, b: ResourceAmounts, of: (x: number, y: number) => number): ResourceAmounts => {
  const combined: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) combined[name] = of(combined[name] ?? 0, amount);
  return combined;
};

const add = (a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts => combine(a, b, addQuantities);
const peak = (a: ResourceAmounts, b: ResourceAmounts): ResourceAmounts => combine(a, b, Math.max);
const sum = (all: readonly ResourceAmounts[]): ResourceAmounts => all.reduce(add, {});
