import type { Case, Lab } from './lab.ts';
import type { PromiseName } from './promises.ts';

/** Something that goes wrong, in every way in which it can. */
export interface Fault {
  readonly name: string;
  readonly cases: (lab: Lab) => Promise<Case[]>;
  /** Promises that it cannot touch, and why. */
  readonly without?: Partial<Record<PromiseName, string>>;
}
