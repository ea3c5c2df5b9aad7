/**
 * A hash of 106 bits: two cyrb53 hashes with different seeds. Synchronous, and the same on every runtime; Node's hashes
 * are not available everywhere, and those of the web platform are asynchronous. Not cryptographic: not for secrets.
 */
export function hashText(text: string): string {
  let [a, b] = [0xdeadbeef ^ SEEDS[0], 0x41c6ce57 ^ SEEDS[0]];
  let [c, d] = [0xdeadbeef ^ SEEDS[1], 0x41c6ce57 ^ SEEDS[1]];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
    c = Math.imul(c ^ code, 2654435761);
    d = Math.imul(d ^ code, 1597334677);
  }
  return `${combine(a, b)}${combine(c, d)}`;
}

const SEEDS = [0x9e3779b9, 0x85ebca6b] as const;

function combine(first: number, second: number): string {
  const a = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
  const b = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
