import type { Logger } from '../../shared/logger.ts';

export interface AssetFacts<T> {
  /** By URL. */
  readonly found: ReadonlyMap<string, T>;
  /** Whether it is known of every asset, also that it has no such fact. */
  readonly isComplete: boolean;
}

/** Knows one kind of fact about a space's assets. */
export interface FactReader<T extends object> {
  /** The facts of these assets, without their URLs' parameters. Those that cannot be read are missing. */
  read(urls: Iterable<string>, logger: Logger): Promise<AssetFacts<T>>;
}

/** Those of the assets whose fact is known; `null` is an asset that has none. */
export function selectFacts<T extends object>(
  urls: readonly string[],
  known: ReadonlyMap<string, T | null>,
): AssetFacts<T> {
  const found = new Map<string, T>();
  for (const url of urls) {
    const fact = known.get(url);
    if (fact) found.set(url, fact);
  }
  return { found, isComplete: urls.every((url) => known.has(url)) };
}
