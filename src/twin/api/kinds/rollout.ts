import { fieldsOf, numberOf, type JsonObject } from '../json.ts';
import { forbidden, invalid, notSupported, type Cause } from '../refusals.ts';

/** What a Deployment says of how it replaces its pods. Source: kubernetes `ValidateDeploymentStrategy`, `ValidateDeploymentSpec`. */
export const validateRollout = (spec: JsonObject): readonly Cause[] => [
  ...validateStrategy(fieldsOf(spec.strategy)),
  ...validateDeadline(spec),
];

const validateStrategy = ({ type, rollingUpdate }: JsonObject): readonly Cause[] => {
  switch (type) {
    case 'Recreate':
      return rollingUpdate === undefined
        ? []
        : [forbidden('spec.strategy.rollingUpdate', "may not be specified when strategy `type` is 'Recreate'")];
    case 'RollingUpdate':
      return validateRollingUpdate(fieldsOf(rollingUpdate));
    default:
      return [notSupported('spec.strategy', { Type: type, RollingUpdate: rollingUpdate ?? null }, ['Recreate', 'RollingUpdate'])];
  }
};

const isNothing = (amount: unknown): boolean => amount === 0 || amount === '0%';

const validateRollingUpdate = ({ maxSurge, maxUnavailable }: JsonObject): readonly Cause[] =>
  isNothing(maxSurge) && isNothing(maxUnavailable)
    ? [invalid('spec.strategy.rollingUpdate.maxUnavailable', maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
    : [];

const validateDeadline = ({ progressDeadlineSeconds, minReadySeconds }: JsonObject): readonly Cause[] => {
  const deadline = numberOf(progressDeadlineSeconds);
  return deadline === undefined || deadline > (numberOf(minReadySeconds) ?? 0)
    ? []
    : [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')];
};
