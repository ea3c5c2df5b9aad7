import { createRequire } from 'node:module';
import type { load as loadCollection } from './load.ts';

/** Where scripts/layers.mjs puts load.ts and what it needs. */
const BUILT = '../../replica/all.js';

/**
 * Loads a collection with code that Node imports itself. Vite, which runs this package, would first transform it, which
 * takes longer than most loads; `require` is what Vite leaves to Node. State that both copies need is shared already:
 * see src/process-registry.ts. In the built package, define-space.ts imports this file instead of load.ts: see `#load`
 * in package.json, and `privateNames` in scripts/build.mjs.
 */
export const load: typeof loadCollection = async (space, plan, context) => {
  // Vite prepares this module while Node compiles the other.
  const sharing = import('../../space/secrets.ts').then(({ shareSecrets }) => shareSecrets());
  const inNode = createRequire(import.meta.url)(BUILT) as { load: typeof loadCollection };
  await sharing;
  await inNode.load(space, plan, context);
};
