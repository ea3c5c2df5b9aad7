import type { Case, FaultRunner } from './fault-runner.ts';
import type { GuaranteeName } from './guarantees.ts';

/** A fault, with all cases in which it can happen. */
export interface Fault {
  readonly name: string;
  readonly cases: (runner: FaultRunner) => Promise<Case[]>;
  /** Guarantees that it cannot affect, with the reason. */
  readonly without?: Partial<Record<GuaranteeName, string>>;
}
