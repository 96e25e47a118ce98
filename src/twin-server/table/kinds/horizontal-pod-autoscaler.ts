import type { KubernetesObject } from '../../../kubernetes/object.ts';
import { numberOf, textOf, type JsonObject } from '../../../twin/api/json.ts';
import { ageColumn, nameColumn, text, type Column } from '../column.ts';
import { countOf, fieldOf, objectsOf, wordOf } from '../print.ts';

/** Source: kubernetes `pkg/printers/internalversion`, `printHorizontalPodAutoscaler`. */
export const horizontalPodAutoscalerColumns: readonly Column[] = [
  nameColumn,
  text('Reference', ({ spec }) => {
    const target = fieldOf(spec, 'scaleTargetRef');
    return `${textOf(fieldOf(target, 'kind')) ?? ''}/${textOf(fieldOf(target, 'name')) ?? ''}`;
  }),
  text('Targets', (autoscaler) => printMetrics(autoscaler)),
  text('MinPods', ({ spec }) => wordOf(fieldOf(spec, 'minReplicas')) ?? '<unset>'),
  text('MaxPods', ({ spec }) => countOf(fieldOf(spec, 'maxReplicas'))),
  text('Replicas', ({ status }) => countOf(fieldOf(status, 'currentReplicas'))),
  ageColumn,
];

const printMetrics = ({ spec, status }: KubernetesObject): string => {
  const wanted = objectsOf(fieldOf(spec, 'metrics'));
  const current = objectsOf(fieldOf(status, 'currentMetrics'));
  if (wanted.length === 0) return '<none>';
  const words = wanted.map((metric, index) => printMetric(metric, current[index]));
  return words.length > 2 ? `${words.slice(0, 2).join(', ')} + ${words.length - 2} more...` : words.join(', ');
};

const printMetric = (metric: JsonObject, measured: JsonObject | undefined): string => {
  const source = sources[String(metric.type)];
  if (source === undefined) return '<unknown type>';
  const target = fieldOf(metric, source, 'target');
  const current = fieldOf(measured, source, 'current');
  const average = wordOf(fieldOf(target, 'averageValue'));
  const averageNow = wordOf(fieldOf(current, 'averageValue')) ?? '<unknown>';
  switch (source) {
    case 'pods':
      return `${averageNow}/${average ?? '<unknown>'}`;
    case 'external':
    case 'object':
      if (average !== undefined) return `${averageNow}/${average} (avg)`;
      return `${current === undefined ? '<unknown>' : (wordOf(fieldOf(current, 'value')) ?? '0')}/${wordOf(fieldOf(target, 'value')) ?? '0'}`;
    default: {
      const name = textOf(fieldOf(metric, source, 'name')) ?? '';
      if (average !== undefined) return `${name}: ${averageNow}/${average}`;
      return `${name}: ${printPercent(fieldOf(current, 'averageUtilization'), '<unknown>')}/${printPercent(fieldOf(target, 'averageUtilization'), '<auto>')}`;
    }
  }
};

const sources: Readonly<Record<string, string>> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

const printPercent = (value: unknown, otherwise: string): string => {
  const percent = numberOf(value);
  return percent === undefined ? otherwise : `${percent}%`;
};
