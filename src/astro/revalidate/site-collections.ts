import { nameCollections } from '../live/collection-names.ts';

/** `src/live.config.ts` of the site. */
export type LoadLiveConfig = () => Promise<{ readonly collections?: unknown }>;

/** Returns a function that lets live collections know their names, before the first page uses one of them. */
export function createNaming(load: LoadLiveConfig | undefined): () => Promise<void> {
  let named: unknown;
  return async () => {
    // A page that uses live collections reports the error.
    const config = await load?.().catch(() => undefined);
    // A dev server evaluates the file again after each change.
    if (config?.collections === named) return;
    named = config?.collections;
    nameCollections(named);
  };
}
