import type { Cluster, ObjectList, WatchEvent } from '../../src/cluster/cluster.ts';

export type ScriptedList = ObjectList | Error;
/** Ends like the server closes a watch; with an Error, in that; with `open`, never. */
export type ScriptedWatch = readonly (WatchEvent | Error | 'open')[];

export interface ScriptedWatches extends Pick<Cluster, 'list' | 'watch'> {
  /** `list`, `watch 12`: what was asked, in order. */
  readonly asked: readonly string[];
}

/** Lists and watches that go wrong as written: the faults of a network and a server, not the decisions of one. */
export const scriptedWatches = (lists: readonly ScriptedList[], watches: readonly ScriptedWatch[]): ScriptedWatches => {
  const asked: string[] = [];
  const listsLeft = [...lists];
  const watchesLeft = [...watches];
  return {
    asked,
    list: () => {
      asked.push('list');
      const list = listsLeft.shift();
      if (list === undefined) return Promise.reject(new TypeError('the script has no list left'));
      return list instanceof Error ? Promise.reject(list) : Promise.resolve(list);
    },
    async *watch(_selection, { resourceVersion, signal }) {
      asked.push(`watch ${resourceVersion}`);
      for (const event of watchesLeft.shift() ?? ['open']) {
        if (event instanceof Error) throw event;
        if (event !== 'open') yield event;
        else await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      }
    },
  };
};
