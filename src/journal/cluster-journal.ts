import type { Cluster } from '../cluster/cluster.ts';
import { fieldManager } from '../cluster/cluster.ts';
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
    await this.cluster.patch(
      { resource: resources.configMaps, namespace: this.namespace, name: journalName(this.head.run) },
      {
        type: 'json',
        operations: [
          { op: 'test', path: '/data/epoch', value: '1' },
          { op: 'replace', path: '/data/state', value: state },
        ],
      },
      { fieldManager },
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

  private create(name: string, part: 'head' | 'entry', data: Readonly<Record<string, string>>): Promise<KubernetesObject> {
    const labels = { 'app.kubernetes.io/managed-by': 'poimen', [`${labelPrefix}/run`]: this.head.run, [`${labelPrefix}/journal`]: part };
    return this.cluster.create(
      resources.configMaps,
      {
        apiVersion: apiVersionOf(resources.configMaps),
        kind: resources.configMaps.kind,
        metadata: { name, namespace: this.namespace, labels },
        ...(part === 'entry' ? { immutable: true } : {}),
        data,
      },
      { fieldManager },
    );
  }
}

const journalName = (run: string): string => `poimen-run-${run}`;
