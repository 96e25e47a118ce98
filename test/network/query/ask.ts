import { cniProfiles } from '../../../src/network/inventory/cni-profiles.ts';
import type { Gap } from '../../../src/network/inventory/gap.ts';
import type { Inventory } from '../../../src/network/inventory/inventory.ts';
import type { Protocol } from '../../../src/kubernetes/pod.ts';
import { answerQuestion, type Answered } from '../../../src/network/query/answer-question.ts';
import type { End } from '../../../src/network/query/end.ts';
import { parseEnd } from '../../../src/network/query/end-text.ts';
import { findEnd } from '../../../src/network/query/find-end.ts';
import { inventoryOf } from '../inventory/network-objects.ts';

export const endOf = (text: string, inventory: Inventory, role = 'TO', namespace = 'shop'): End => {
  const parsed = parseEnd(text);
  if (parsed.kind === 'error') throw new Error(parsed.message);
  return findEnd(parsed.end, { inventory, namespace, role });
};

export interface AskOptions {
  readonly port?: number;
  readonly protocol?: Protocol;
  readonly cni?: keyof typeof cniProfiles;
  readonly gaps?: readonly Gap[];
}

/** One question about a cluster of these objects; names without a namespace are in `shop`. */
export const ask = (texts: readonly string[], from: string, to: string, { port, protocol, cni, gaps }: AskOptions = {}): Answered => {
  const inventory = inventoryOf(texts.join(''), gaps);
  const question = {
    from: endOf(from, inventory, 'FROM'),
    to: endOf(to, inventory),
    ...(port === undefined ? {} : { port }),
    ...(protocol === undefined ? {} : { protocol }),
  };
  return answerQuestion(inventory, question, cni === undefined ? undefined : cniProfiles[cni]);
};

export const verdictOf = (...args: Parameters<typeof ask>): string => ask(...args).answer.verdict;
