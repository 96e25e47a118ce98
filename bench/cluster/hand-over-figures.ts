import { median, milliseconds, type Figure } from '../figure.ts';
import type { Performer } from './hand-over.ts';
import { isWrite, type MeasuredHandOver } from './measured-hand-over.ts';

export const handOverFigures = (handOvers: readonly MeasuredHandOver[]): readonly Figure[] => {
  const by = (performer: Performer): readonly MeasuredHandOver[] => handOvers.filter((handOver) => handOver.performer === performer);
  const compare = (what: string, atMost: number, valueOf: (handOver: MeasuredHandOver) => number): Figure => {
    const [own, script] = [median(by('poimen').map(valueOf)), median(by('script').map(valueOf))];
    return {
      what,
      against: 'the script',
      value: own / script,
      atMost,
      medians: { poimen: milliseconds(own), script: milliseconds(script) },
      rounds: by('poimen').length,
    };
  };
  const count = (what: string, atMost: number, valueOf: (handOver: MeasuredHandOver) => number): Figure => {
    const [own, script] = [median(by('poimen').map(valueOf)), median(by('script').map(valueOf))];
    return { what, value: own, atMost, medians: { poimen: String(own), script: String(script) }, rounds: by('poimen').length };
  };
  return [
    compare('from the end of the last old pod to the scale-up request', 0.08, ({ scaleUpGapMs }) => scaleUpGapMs),
    compare('from the readiness of the new pod to the change of the selector', 0.08, ({ switchGapMs }) => switchGapMs),
    compare("time without a ready endpoint, minus the pods' own times", 0.2, ({ addedOutageMs }) => addedOutageMs),
    count('writes to the targets during one hand-over', 3, ({ requests }) => requests.filter(isWrite).length),
    count('requests on the targets during one hand-over', 14, ({ requests }) => requests.length),
  ];
};
