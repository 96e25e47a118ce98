import { isDeepStrictEqual } from 'node:util';
import { parsePointer, valueAt } from '../kubernetes/json-pointer.ts';
import type { KubernetesObject } from '../kubernetes/object.ts';
import { fullName, type ObjectReference } from '../kubernetes/reference.ts';
import { probablyBy } from '../ownership/managed-fields.ts';
import type { ClusterState, Mutation } from '../steps/step-kind.ts';

interface OwnWrite {
  readonly target: ObjectReference;
  readonly path: string;
  readonly value: unknown;
}

/**
 * What a run wrote, to notice who undoes it: an autoscaler, a GitOps controller, a person. A step's effect that was observed once
 * need not last (kserve#6001, kedacore/keda#2453).
 */
export class OwnWrites {
  /** The latest to each field. */
  private readonly writes = new Map<string, OwnWrite>();

  remember({ target, patch }: Mutation): void {
    for (const operation of patch) {
      if (operation.op === 'test') continue;
      const value = operation.op === 'remove' ? undefined : operation.value;
      this.writes.set(`${fullName(target)} ${operation.path}`, { target, path: operation.path, value });
    }
  }

  /** In words, the first field that is no longer as this run wrote it, and who probably changed it. */
  undone(state: ClusterState): string | undefined {
    for (const { target, path, value } of this.writes.values()) {
      const object = state.get<KubernetesObject>(target);
      const fields = parsePointer(path);
      const now = valueAt(object, fields);
      if (object === undefined || isDeepStrictEqual(now, value)) continue;
      const by = probablyBy(object, fields);
      const who = by === '' ? '' : ` (${by})`;
      return `somebody else changed what this run had written: ${fullName(target)} ${path} is ${JSON.stringify(now)}${who}, and was ${JSON.stringify(value)}`;
    }
    return undefined;
  }
}
