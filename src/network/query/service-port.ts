import { PoimenError } from '../../errors/poimen-error.ts';
import type { Protocol } from '../../kubernetes/pod.ts';
import { isHeadless, servicePort, type Service, type ServicePort } from '../../kubernetes/service.ts';
import { serviceName, type ServiceEntry } from '../inventory/service-entry.ts';

export interface DialledPort {
  readonly port: number;
  readonly protocol: Protocol;
}

/**
 * The port that a client dials. Without one, the Service's only port. A headless Service and an ExternalName translate nothing: any
 * port can be dialled.
 *
 * @throws PoimenError usage: `PortMissing`, `PortNotInService`.
 */
export const dialledPort = (entry: ServiceEntry, port: number | undefined, protocol: Protocol | undefined): DialledPort => {
  const { service } = entry;
  const ports = service.spec.ports ?? [];
  if (port === undefined) {
    const [only, more] = ports.filter((declared) => protocol === undefined || protocolOf(declared) === protocol);
    if (only !== undefined && more === undefined) return { port: only.port, protocol: protocolOf(only) };
    throw portMissing(`${serviceName(entry)} has ${ports.length === 0 ? 'no ports' : `the ports ${ports.map(describePort).join(', ')}`}`);
  }
  const dialled: DialledPort = { port, protocol: protocol ?? 'TCP' };
  if (isHeadless(service) || service.spec.type === 'ExternalName') return dialled;
  if (servicePort(service, port, dialled.protocol) !== undefined) return dialled;
  throw portNotInService(entry, dialled);
};

/** For anything but a Service there is no telling. */
export const portMissing = (detail?: string): PoimenError =>
  new PoimenError({
    outcome: 'usage',
    code: 'PortMissing',
    summary: '--port is missing',
    ...(detail === undefined ? {} : { detail }),
    nextSteps: ['say which port is dialled: --port 80'],
  });

const portNotInService = (entry: ServiceEntry, { port, protocol }: DialledPort): PoimenError => {
  const ports = entry.service.spec.ports ?? [];
  const meant = ports.filter((declared) => (declared.targetPort ?? declared.port) === port && protocolOf(declared) === protocol);
  const otherProtocol = ports.filter((declared) => declared.port === port);
  return new PoimenError({
    outcome: 'usage',
    code: 'PortNotInService',
    summary: `${serviceName(entry)} has no port ${port}${protocol === 'TCP' ? '' : `/${protocol}`}, it has ${ports.map(describePort).join(', ') || 'none'}`,
    ...(meant.length > 0
      ? { detail: `${port} is the port of its pods: a client of the Service dials ${meant.map((declared) => declared.port).join(' or ')}` }
      : {}),
    nextSteps: [
      ...meant.map((declared) => `--port ${declared.port}`),
      ...otherProtocol.map((declared) => `--protocol ${protocolOf(declared)}`),
    ],
  });
};

/** `80 (http) -> 8080`, `53/UDP -> dns` */
const describePort = (declared: ServicePort): string => {
  const { name, port, targetPort = port } = declared;
  const protocol = protocolOf(declared);
  return `${port}${protocol === 'TCP' ? '' : `/${protocol}`}${name === undefined ? '' : ` (${name})`} -> ${targetPort}`;
};

const protocolOf = ({ protocol = 'TCP' }: ServicePort): Protocol => protocol;

export const targetOf = (service: Service, { port, protocol }: DialledPort): number | string | undefined => {
  if (isHeadless(service)) return undefined;
  const declared = servicePort(service, port, protocol);
  return declared === undefined ? undefined : (declared.targetPort ?? declared.port);
};
