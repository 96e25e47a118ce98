import { expect, it } from 'vitest';
import { isApiError } from '../../src/cluster/api-error.ts';
import { fieldManager } from '../../src/cluster/cluster.ts';
import { resources } from '../../src/kubernetes/resource.ts';
import { flawsOf, isRefused } from '../../src/network/validity/flaws-of.ts';
import { policyCases, policyOf } from '../network/validity/refused-policies.ts';
import { connectReal, describeOnRealCluster } from './live/real-cluster.ts';

describeOnRealCluster('NetworkPolicies that an API server refuses, and those that we say it does', () => {
  it.each(policyCases)('$what', async (policyCase) => {
    const cluster = await connectReal();
    const policy = policyOf(policyCase);
    const refused = await cluster.create(resources.networkPolicies, policy, { fieldManager, dryRun: true }).then(
      () => false,
      (error: unknown) => {
        if (!isApiError(error, 400, 422)) throw error;
        return true;
      },
    );
    expect(isRefused(flawsOf(policy))).toBe(refused);
  });
});
