import type { Replica } from '../replica.ts';

/** Everything that a key sees at one moment, in the languages that are needed. */
export interface Content {
  readonly main: Replica;
  /** By language key; empty if languages are not used. */
  readonly sub: ReadonlyMap<string, Replica>;
}

export function replicasOf({ main, sub }: Content): readonly Replica[] {
  return [main, ...sub.values()];
}
