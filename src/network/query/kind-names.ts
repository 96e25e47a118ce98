import { resources, type Resource } from '../../kubernetes/resource.ts';
import { podTemplateKinds } from '../inventory/pod-template-kinds.ts';

const shortNames: Readonly<Record<string, string>> = {
  po: 'Pod',
  svc: 'Service',
  ns: 'Namespace',
  deploy: 'Deployment',
  sts: 'StatefulSet',
  ds: 'DaemonSet',
  rs: 'ReplicaSet',
  rc: 'ReplicationController',
  cj: 'CronJob',
  isvc: 'InferenceService',
  lws: 'LeaderWorkerSet',
};

/** As people type a kind: kubectl's short name where it has one. */
export const typedKind = (kind: string): string =>
  Object.entries(shortNames).find(([short, long]) => long === kind && short !== 'po')?.[0] ?? kind.toLowerCase();

/** What can be an end of a connection. */
const endResources: readonly Resource[] = [
  resources.pods,
  resources.services,
  resources.namespaces,
  ...podTemplateKinds.map(({ resource }) => resource),
];

/** A kind, its plural or its short name, in lower case. */
export const kindNamed = (text: string): string | undefined => {
  if (Object.hasOwn(shortNames, text)) return shortNames[text];
  return endResources.find(({ kind, plural }) => kind.toLowerCase() === text || plural === text)?.kind;
};

export const kindNames = (): readonly string[] => endResources.map(({ kind }) => typedKind(kind));
