import { createHash } from 'node:crypto';

/** Whole numbers from 0 to below the argument; the same sequence for the same seed. */
export type SeededRandom = (below: number) => number;

export function seededRandom(seed: number | string): SeededRandom {
  const next = seededFractions(typeof seed === 'number' ? seed : hashNumber(seed));
  return (below) => Math.floor(next() * below);
}

/** Numbers from 0 to below 1; the same sequence for the same seed. The algorithm is mulberry32. */
export function seededFractions(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number of 32 bits that is the same for the same text. */
export function hashNumber(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}
