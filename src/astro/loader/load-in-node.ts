import { createRequire } from 'node:module';
import type { passGetSecret } from '../../space/secrets.ts';
import type { load as loadCollection } from './load.ts';

/** The built modules, as Node imports them. */
interface InNode {
  (file: './load.js'): { readonly load: typeof loadCollection };
  (file: '../../space/secrets.js'): { readonly passGetSecret: typeof passGetSecret };
}

/**
 * Loads a collection with code that Node imports itself. Vite, which runs this package, would first transform it, which
 * takes longer than most loads; `require` is what Vite leaves to Node. So `load` and the integration are in one module
 * graph, and share the variables of their modules. In the built package, define-space.ts imports this file instead of
 * load.ts: see REPLACED in scripts/build.mjs.
 */
export const load: typeof loadCollection = async (space, settings, context) => {
  // Vite prepares this module while Node compiles the other.
  const importing = import('../../space/secrets.ts').then(({ importGetSecret }) => importGetSecret());
  const inNode = createRequire(import.meta.url) as InNode;
  const { load: loadInNode } = inNode('./load.js');
  // Where Node has imported this module too, both copies are one: it cannot be required before it is imported.
  const getSecret = await importing;
  inNode('../../space/secrets.js').passGetSecret(getSecret);
  await loadInNode(space, settings, context);
};
