import type { CniProfile } from '../inventory/cni-profiles.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { PolicyEngine } from '../policy/engine.ts';

/** What questions are asked of. */
export interface QueryWorld {
  readonly inventory: Inventory;
  readonly engine: PolicyEngine;
  readonly cni?: CniProfile;
}
