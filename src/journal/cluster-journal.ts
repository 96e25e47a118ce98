import { isDeepStrictEqual } from 'node:util';
import { ConnectionError, isApiError } from '../cluster/api-error.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { fieldManager } from '../cluster/cluster.ts';
import { isJsonObject, type JsonObject } from '../kubernetes/json.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { apiVersionOf, resources } from '../kubernetes/resource.ts';
import type { Journal, JournalRecord, RunState } from './journal.ts';

export interface JournalHead {
  readonly run: string;
  readonly runbook: string;
  /** Of the runbook's text and inputs. */
  readonly hash: string;
  /** `user@host` */
  readonly operator: string;
  /** RFC 3339. */
  readonly startedAt: string;
}

const journalVersion = '1';
const labelPrefix = 'poimen.dev';

/**
 * A run's journal as ConfigMaps in the cluster, so that a colleague can read it from another machine: a small head, whose
 * `epoch` and `state` alone change, and create-only entries, so that appending happens once.
 *
 * An entry may hold several records: what a step saw and what the next one intends are stored with one write, because a
 * Service without a backend is waiting for that one.
 */
export class ClusterJournal implements Journal {
  private readonly cluster: Cluster;
  private readonly namespace: string;
  private readonly head: JournalHead;
  private pending: JournalRecord[] = [];
  private entries = 0;
  private stored: Promise<void> = Promise.resolve();

  private constructor(cluster: Cluster, namespace: string, head: JournalHead) {
    this.cluster = cluster;
    this.namespace = namespace;
    this.head = head;
  }

  /** Creates the head. Throws `ApiError` 403 where the journal may not be kept: then nothing has been written at all. */
  static async open(cluster: Cluster, namespace: string, head: JournalHead): Promise<ClusterJournal> {
    const journal = new ClusterJournal(cluster, namespace, head);
    await journal.create(journalName(head.run), 'head', {
      journalVersion,
      epoch: '1',
      state: 'open' satisfies RunState,
      runbook: head.runbook,
      hash: head.hash,
      operator: head.operator,
      startedAt: head.startedAt,
    });
    return journal;
  }

  record(record: JournalRecord): void {
    this.pending.push(record);
  }

  commit(): Promise<void> {
    this.stored = this.stored.then(() => this.append());
    return this.stored;
  }

  async finish(state: Exclude<RunState, 'open'>): Promise<void> {
    await this.commit();
    const name = journalName(this.head.run);
    const operations = [
      { op: 'test', path: '/data/epoch', value: '1' },
      { op: 'replace', path: '/data/state', value: state },
    ] as const;
    await this.once(
      name,
      () =>
        this.cluster.patch(
          { resource: resources.configMaps, namespace: this.namespace, name },
          { type: 'json', operations },
          { fieldManager },
        ),
      (data) => data['state'] === state,
    );
  }

  private async append(): Promise<void> {
    if (this.pending.length === 0) return;
    const records = this.pending;
    this.pending = [];
    this.entries++;
    await this.create(`${journalName(this.head.run)}-${String(this.entries).padStart(5, '0')}`, 'entry', {
      records: JSON.stringify(records),
    });
  }

  private create(name: string, part: 'head' | 'entry', data: Readonly<Record<string, string>>): Promise<void> {
    const labels = { 'app.kubernetes.io/managed-by': 'poimen', [`${labelPrefix}/run`]: this.head.run, [`${labelPrefix}/journal`]: part };
    const object: KubernetesObject = {
      apiVersion: apiVersionOf(resources.configMaps),
      kind: resources.configMaps.kind,
      metadata: { name, namespace: this.namespace, labels },
      ...(part === 'entry' ? { immutable: true } : {}),
      data,
    };
    return this.once(
      name,
      () => this.cluster.create(resources.configMaps, object, { fieldManager }),
      (stored) => isDeepStrictEqual(stored, data),
    );
  }

  /** Writes until it is known that the write took effect: after an answer that was lost or says nothing, the object is read. */
  private async once(name: string, write: () => Promise<unknown>, isWritten: (data: JsonObject) => boolean): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await write();
        return;
      } catch (error) {
        if (!isUndecided(error)) throw error;
        const found = await this.cluster.get({ resource: resources.configMaps, namespace: this.namespace, name });
        if (found !== undefined && isJsonObject(found['data']) && isWritten(found['data'])) return;
        if (attempt === attempts) throw error;
      }
    }
  }
}

const attempts = 4;

/** 409 too: somebody's object of this name may be the one that was sent before. */
const isUndecided = (error: unknown): boolean =>
  error instanceof ConnectionError || isApiError(error, 409, 429) || (isApiError(error) && error.status.code >= 500);

const journalName = (run: string): string => `poimen-run-${run}`;
