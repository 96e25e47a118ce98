import type { OpenPorts, PortVerdict } from '../../network/matrix/open-ports.ts';
import type { Protocol } from '../../kubernetes/pod.ts';

interface PortRange {
  readonly protocol: Protocol;
  readonly from: number;
  readonly to: number;
}

/** `TCP 80, 8080-8090, UDP 53`; `all ports` when nothing is left out. */
export const rangesText = (ranges: readonly PortRange[]): string => {
  const whole = ranges.filter(({ from, to }) => from === 1 && to === 65_535);
  if (whole.length === 3 && ranges.length === 3) return 'all ports';
  return [...Map.groupBy(ranges, ({ protocol }) => protocol)]
    .map(
      ([protocol, own]) => `${protocol} ${own.length === 1 && whole.includes(own[0] ?? noRange) ? 'all' : own.map(rangeText).join(', ')}`,
    )
    .join(', ');
};

const noRange: PortRange = { protocol: 'TCP', from: 0, to: 0 };

const rangeText = ({ from, to }: PortRange): string => (from === to ? String(from) : `${from}-${to}`);

/** `TCP 8080; depends: UDP 53` */
export const openPortsText = (ports: readonly OpenPorts[]): string =>
  [...Map.groupBy(ports, ({ verdict }) => verdict)]
    .map(([verdict, own]) => (verdict === 'allowed' ? rangesText(own) : `${verdictWords[verdict]}: ${rangesText(own)}`))
    .join('; ');

export const verdictWords: Readonly<Record<PortVerdict, string>> = {
  allowed: 'open',
  mixed: 'between some pods',
  depends: 'depends',
  denied: 'shut',
};
