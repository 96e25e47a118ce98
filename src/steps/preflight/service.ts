import { fullName } from '../../kubernetes/reference.ts';
import { isHeadless, servicePort, targetPortOf } from '../../kubernetes/service.ts';
import { findNamedPort, type PodSpec } from '../../kubernetes/pod.ts';
import { newSelectorOf } from '../new-selector.ts';
import { serviceBlockers } from '../service-blockers.ts';
import type { PreflightFacts } from './facts.ts';
import { asFinding, blocks, warns, type Finding } from './finding.ts';

/** The Service's selector can be moved, and its ports lead somewhere on the new pods. */
export const checkService = (facts: PreflightFacts): readonly Finding[] => {
  const { input, service, to } = facts;
  if (service === undefined) return [];
  const wish = to.object === undefined ? undefined : newSelectorOf(input.to, to.object, input.selector);
  return [
    ...serviceBlockers(input.service, service).map(asFinding),
    ...(wish !== undefined && 'blocker' in wish ? [asFinding(wish.blocker)] : []),
    ...(isHeadless(service)
      ? [warns(`${fullName(input.service)} is headless: clients hold pod addresses, and port numbers are not translated`)]
      : []),
    ...ports(facts),
  ];
};

const ports = ({ input, service, to }: PreflightFacts): readonly Finding[] => {
  const declared = service?.spec.ports ?? [];
  if (service === undefined || service.spec.type === 'ExternalName') return [];
  const name = fullName(input.service);
  const has = declared.map(({ port }) => port).join(', ') || 'none';
  if (input.port !== undefined && servicePort(service, input.port) === undefined) {
    return [
      blocks(
        'PortMissing',
        `${name} has no port ${input.port}; it has ${has}`,
        `name one that it has: port${declared[0] === undefined ? '' : ` ${declared[0].port}`}`,
      ),
    ];
  }
  if (to.object === undefined) return [];
  const { spec } = to.object.spec.template;
  return declared.flatMap((port): readonly Finding[] => {
    const target = targetPortOf(port, { spec });
    if (target === undefined) {
      return [
        blocks(
          'TargetPortMissing',
          `port ${port.port} of ${name} leads to the port named ${port.targetPort}, which the pods of ${fullName(input.to)} do not have; they have ${namedPorts(spec) || 'none with a name'}`,
          'name the port in the pod template, or use its number in the Service',
        ),
      ];
    }
    return declares(spec, target)
      ? []
      : [
          warns(
            `port ${port.port} of ${name} leads to ${target}, which the pods of ${fullName(input.to)} do not declare; they may listen on it nevertheless`,
          ),
        ];
  });
};

const containerPorts = (spec: PodSpec): readonly { readonly containerPort: number; readonly name?: string }[] =>
  spec.containers.flatMap(({ ports: declared }) => declared ?? []);

const namedPorts = (spec: PodSpec): string =>
  containerPorts(spec)
    .flatMap(({ name }) => (name !== undefined && findNamedPort(spec, name, 'TCP') !== undefined ? [name] : []))
    .join(', ');

const declares = (spec: PodSpec, port: number): boolean =>
  containerPorts(spec).length === 0 || containerPorts(spec).some(({ containerPort }) => containerPort === port);
