import { isJsonArray, isJsonObject } from '../../kubernetes/json.ts';
import { isLabelKey, isLabelValue } from '../../kubernetes/label-syntax.ts';
import { fields, listOf, oneOf, refuse, text, type Check } from './shape.ts';

const labelKey: Check = (value, path, flaws) => {
  if (typeof value !== 'string' || !isLabelKey(value))
    refuse(
      flaws,
      path,
      `${JSON.stringify(value)} is not a label key`,
      'letters, digits, "-", "_", ".", at most 63, behind an optional DNS/ prefix',
    );
};

const labelValue: Check = (value, path, flaws) => {
  if (typeof value !== 'string') refuse(flaws, path, `label value ${JSON.stringify(value)} is not a text`, `quote it: "${String(value)}"`);
  else if (!isLabelValue(value))
    refuse(
      flaws,
      path,
      `"${value}" is not a label value`,
      'letters, digits, "-", "_", ".", at most 63, beginning and ending with a letter or digit',
    );
};

const matchLabels: Check = (value, path, flaws) => {
  if (!isJsonObject(value)) {
    refuse(flaws, path, 'matchLabels has to be a map', 'write KEY: VALUE below it');
    return;
  }
  for (const [key, content] of Object.entries(value)) {
    labelKey(key, [...path, key], flaws);
    labelValue(content, [...path, key], flaws);
  }
};

const expression = fields(
  { required: { key: labelKey, operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist') }, optional: { values: listOf(labelValue) } },
  ({ operator, values }, path, flaws) => {
    const count = isJsonArray(values) ? values.length : 0;
    const wantsValues = operator === 'In' || operator === 'NotIn';
    if (wantsValues && count === 0)
      refuse(flaws, path, `operator ${operator} without values`, 'list the values, or use Exists or DoesNotExist');
    if (!wantsValues && count > 0)
      refuse(flaws, [...path, 'values'], `operator ${String(operator)} takes no values`, 'remove them, or use In or NotIn');
  },
);

/** Source: k8s.io/apimachinery, `ValidateLabelSelector`. */
export const labelSelector: Check = fields({ optional: { matchLabels, matchExpressions: listOf(expression) } });

/** As custom resource definitions check it: the schema knows texts, not which of them make sense. */
export const looseLabelSelector: Check = fields({
  optional: {
    matchLabels: (value, path, flaws) => {
      if (!isJsonObject(value)) matchLabels(value, path, flaws);
      else for (const [key, content] of Object.entries(value)) text(content, [...path, key], flaws);
    },
    matchExpressions: listOf(fields({ required: { key: text, operator: text }, optional: { values: listOf(text) } })),
  },
});
