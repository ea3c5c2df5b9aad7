import type { MemoryReplica } from '../../../replica/memory/memory-replica.ts';

/** The content of a space at one moment, in all languages that live collections use. Never changes. */
export interface ContentVersion {
  /** Counts from 1. */
  readonly number: number;
  readonly main: MemoryReplica;
  /** By language key. */
  readonly sub: ReadonlyMap<string, MemoryReplica>;
}

export function replicasOf({ main, sub }: Pick<ContentVersion, 'main' | 'sub'>): readonly MemoryReplica[] {
  return [main, ...sub.values()];
}
