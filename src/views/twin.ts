import type { TwinReset } from '../operations/reset-twin.ts';
import type { TwinStatus } from '../operations/read-twin-status.ts';
import type { ServingTwin } from '../operations/serve-twin.ts';
import type { TwinContents } from '../twin-server/twin-status.ts';
import { indent } from './text.ts';

/** `-o json` of `twin serve`: what a script needs to go on. */
export const servingDocument = ({ url, kubeconfig, folder, pace }: ServingTwin): object => ({
  url,
  kubeconfig,
  folder,
  pace,
  pid: process.pid,
});

/** On stderr, beside the line for the shell. */
export const renderServing = ({ url, folder, pace, notSimulated }: ServingTwin, open: boolean): string =>
  [
    `the twin of ${folder} is served at ${url} until Ctrl-C; nothing in it is real`,
    `  time: ${paceWords(pace)}`,
    `  who may: ${open ? 'every program of this machine (--open)' : 'whoever has the kubeconfig, which is for you only'}`,
    '  simulated: the API, Deployments, ReplicaSets, pods and their nodes, scheduling, EndpointSlices, quotas',
    '  not simulated: containers (no logs, exec, port-forward), events, other controllers, protobuf, kubectl explain',
    ...(notSimulated.length === 0 ? [] : [`  kept as they are: ${notSimulated.join(', ')}`]),
    '',
  ].join('\n');

const paceWords = (pace: string): string => {
  if (pace === 'instant') return 'stands still; after each request everything that follows has happened';
  return pace === '1' ? 'passes as real time does' : `passes ${pace} times as fast as real time`;
};

export const servedEnd = ({ folder }: ServingTwin): string => `the twin of ${folder} is no longer served; it remembers its state\n`;

export const renderTwinStatus = ({ folder, stateFolder, served, contents }: TwinStatus): string =>
  [
    `folder       ${folder}`,
    `state        ${stateFolder}`,
    ...(served === undefined
      ? ['served       no']
      : [
          `served       ${served.url}, since ${served.since}, by process ${served.pid}`,
          `kubeconfig   ${served.kubeconfig}`,
          `pace         ${paceWords(served.pace)}`,
        ]),
    ...(contents === undefined ? ['contents     none yet: it begins from the manifests'] : contentLines(contents)),
    '',
  ].join('\n');

const contentLines = ({ time, resourceVersion, objects, lastChanges }: TwinContents): readonly string[] => [
  `time         ${time}, simulated`,
  `version      ${resourceVersion}`,
  'objects',
  ...Object.entries(objects).map(([name, number]) => indent(`${String(number).padStart(5)}  ${name}`, 2)),
  ...(lastChanges === undefined || lastChanges.length === 0
    ? []
    : [
        'last changes',
        ...lastChanges.map(({ type, object, resourceVersion: version }) =>
          indent(`${version.padStart(5)}  ${type.toLowerCase().padEnd(8)}  ${object}`, 2),
        ),
      ]),
];

export const renderReset = ({ folder, contents }: TwinReset): string => {
  const total = Object.values(contents.objects).reduce((sum, number) => sum + number, 0);
  return `the twin of ${folder} is as its manifests say: ${total} objects\n`;
};
