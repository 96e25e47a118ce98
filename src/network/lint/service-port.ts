import { matchesEqualities } from '../../kubernetes/label-selector.ts';
import type { Protocol } from '../../kubernetes/pod.ts';
import type { NetworkPeer } from '../inventory/peers.ts';
import type { PodPeer } from '../policy/peer.ts';
import { rulesOf, type Check, type LintContext, type Warning } from './lint-context.ts';

/** A rule's port that is a Service's and of none of its pods: policies see what comes behind the Service. Source: projectcalico/calico#8049. */
export const servicePortInPolicy: Check = (policy, context) =>
  rulesOf(policy).flatMap(({ direction, path, peers, ports }) => {
    const servers = direction === 'ingress' ? context.selectedBy(policy) : peers.flatMap((entry) => context.namedBy(entry, policy));
    return ports.flatMap(({ port, protocol = 'TCP', endPort }, index): readonly Warning[] => {
      if (typeof port !== 'number' || endPort !== undefined) return [];
      const behind = servers.flatMap((server) => translationsOf(server, protocol, context));
      const mistaken = behind.find((service) => service.port === port && service.target !== port);
      if (mistaken === undefined || behind.some(({ target }) => target === port)) return [];
      if (servers.some(({ pods }) => pods.some(({ peer }) => peer.namedPorts.some((named) => named.port === port)))) return [];
      return [
        {
          code: 'ServicePortInPolicy',
          path: [...path, 'ports', index, 'port'],
          message: `${port} is the port of Service ${mistaken.name}; its pods get ${mistaken.target}, and that is what a policy sees`,
          hint: `write ${mistaken.target}`,
        },
      ];
    });
  });

interface Translation {
  readonly name: string;
  readonly port: number;
  readonly target: number;
}

const translationsOf = ({ namespace, pods }: NetworkPeer, protocol: Protocol, { inventory }: LintContext): readonly Translation[] => {
  const [first] = pods;
  if (first === undefined) return [];
  return inventory.services
    .filter((entry) => entry.namespace === namespace && matchesEqualities(entry.service.spec.selector, first.peer.labels))
    .flatMap(({ service }) =>
      (service.spec.ports ?? []).flatMap((declared): readonly Translation[] => {
        if ((declared.protocol ?? 'TCP') !== protocol) return [];
        const target = targetOf(declared.targetPort ?? declared.port, protocol, first.peer);
        return target === undefined ? [] : [{ name: service.metadata.name, port: declared.port, target }];
      }),
    );
};

const targetOf = (target: number | string, protocol: Protocol, { namedPorts }: PodPeer): number | undefined =>
  typeof target === 'number' ? target : namedPorts.find((named) => named.name === target && named.protocol === protocol)?.port;
