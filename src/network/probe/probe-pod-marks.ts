/*
 * How probe pods are known again. Never with a label that a chart or a person uses, too: a selector may go by those.
 */

/** Value: the run's name. */
export const probeLabel = 'poimen.dev/probe';

/** The process that made it, in words that only the same machine can judge. */
export const makerAnnotation = 'poimen.dev/maker';

/** For whom it stands: `deployment/poimen-memory.poimen`. */
export const clientAnnotation = 'poimen.dev/client';

/** Of every probe pod the one container from which is asked. */
export const probeContainer = 'probe';

/** No controller sets it: a pod that names it as a readiness gate never becomes ready. */
export const neverReadyGate = 'poimen.dev/never-ready';
