import { testCostOfChanges } from './cost-of-changes.ts';

testCostOfChanges({ size: 100_000, archived: 20 });
