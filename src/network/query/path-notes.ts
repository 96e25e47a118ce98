import { hbonePort } from '../inventory/mesh.ts';
import type { Note } from './answer.ts';
import { caution, information, type Connection } from './connections.ts';
import { isTunnelled } from './judge-path.ts';
import type { QueryWorld } from './query-world.ts';

/** What the verdicts rest on. */
export const pathNotes = (connections: readonly Connection[], { inventory }: QueryWorld): readonly Note[] => {
  const members = connections.flatMap(({ client, server }) => [client, server]);
  const templates = [...new Set(members.filter(({ templateOnly, described }) => templateOnly && described !== true).map(({ of }) => of))];
  const unaddressed = members.filter(({ peer, templateOnly }) => peer.kind === 'pod' && !templateOnly && peer.addresses.length === 0);
  const tunnelled = connections.some(({ client, server, port, protocol }) =>
    isTunnelled({ client: client.peer, server: server.peer, port, protocol }, inventory),
  );
  return [
    ...(templates.length === 0
      ? []
      : [
          information(
            'TemplateOnly',
            `${templates.join(', ')}: judged by the template, without what controllers and webhooks add to a pod`,
          ),
        ]),
    ...(unaddressed.length === 0
      ? []
      : [
          caution(
            'NoAddress',
            `${names(unaddressed.map(({ peer }) => (peer.kind === 'pod' ? peer.name : peer.address)))}: without an address yet, judged by labels`,
          ),
        ]),
    ...(tunnelled
      ? [
          caution(
            'Ambient',
            `both ends are in Istio's ambient mesh: policies see TCP ${hbonePort} and not the connection's port, so a rule for ${hbonePort} opens every port`,
          ),
        ]
      : []),
  ];
};

const names = (list: readonly string[]): string => {
  const distinct = [...new Set(list)];
  return distinct.length <= 3 ? distinct.join(', ') : `${distinct.slice(0, 3).join(', ')} and ${distinct.length - 3} more`;
};
