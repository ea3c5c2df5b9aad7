import { hashText } from '../shared/hash-text.ts';

/** The media of one item are often those of the next. */
const MAX_KEYS = 1000;
const keys = new Map<string, number>();

/** Stands for a media URL among content IDs, which are never negative. The same on every runtime. */
export function mediaKey(url: string): number {
  const known = keys.get(url);
  if (known !== undefined) return known;
  const key = -1 - Number.parseInt(hashText(url).slice(0, 10), 36);
  if (keys.size === MAX_KEYS) keys.clear();
  keys.set(url, key);
  return key;
}
