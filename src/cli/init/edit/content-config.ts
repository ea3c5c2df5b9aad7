import { type Collection, collectionCode } from '../space-file/collections.ts';
import { ModuleEdit } from './module-edit.ts';
import {
  constantOf,
  exportsOf,
  isNode,
  type Node,
  nameOf,
  nodesIn,
  type Source,
  stringOf,
  UnsupportedSyntaxError,
  unwrap,
} from './parse-source.ts';

/** In Astro's lookup order; the second list only with `legacy.collectionsBackwardsCompat`. */
export const CONTENT_CONFIGS = [
  'content.config.mjs',
  'content.config.js',
  'content.config.mts',
  'content.config.ts',
] as const;
export const LEGACY_CONTENT_CONFIGS = [
  'content/config.ts',
  'content/config.js',
  'content/config.mjs',
  'content/config.mts',
] as const;

export interface SpaceImport {
  /** Relative to the config, such as `./space.ts`. */
  readonly from: string;
  /** The name of the export. */
  readonly name: string;
}

/** A new content config. */
export function contentConfig(collections: readonly Collection[], space: SpaceImport): string {
  const names = { define: 'defineCollection', space: space.name };
  const lines = collections.map((one) => `  ${collectionCode(one.model, one, names)},`);
  return `import { defineCollection } from 'astro:content';
import { ${space.name} } from '${space.from}';

export const collections = {
${lines.join('\n')}
};
`;
}

/**
 * Adds a collection for each model that a content config does not load yet; returns the same text if it loads
 * all. If the name of a model is taken, its collection is called `luid_…`. Throws `UnsupportedSyntaxError`.
 */
export function addCollections(text: string, collections: readonly Collection[], space: SpaceImport): string {
  const edit = new ModuleEdit(text);
  const object = collectionsOf(edit.source);
  const loaded = loadedModels(edit.source);
  if (loaded === 'all') return text;
  const missing = collections.filter(({ model }) => !loaded.has(model));
  if (missing.length === 0) return text;

  const names = {
    define: edit.import('defineCollection', 'astro:content'),
    space: edit.import(space.name, space.from),
    quote: edit.style.quote,
  };
  const taken = new Set((object.properties as Node[]).map(nameOf));
  const codes = missing.map((one) => collectionCode(nameFor(one.model, taken), one, names));
  edit.add(object, codes);
  return edit.apply((changed) => {
    const models = loadedModels(changed);
    return models !== 'all' && missing.every(({ model }) => models.has(model));
  });
}

function nameFor(model: string, taken: ReadonlySet<string | undefined>): string {
  return taken.has(model) ? `luid_${model}` : model;
}

/** The object literal behind `export const collections` or `export { collections }`. */
function collectionsOf(source: Source): Node {
  const found = exportsOf(source).find(({ exported }) => exported === 'collections');
  const object = found?.local === undefined ? undefined : constantOf(source, found.local);
  if (object?.type === 'ObjectExpression') return object;
  throw new UnsupportedSyntaxError('`collections` is not exported as an object literal');
}

/** The models that the file loads, under any collection name: `x.loader('article')`, `x.collections()`. */
function loadedModels(source: Source): ReadonlySet<string> | 'all' {
  const models = new Set<string>();
  for (const node of nodesIn(source.body)) {
    if (node.type !== 'CallExpression') continue;
    const callee = unwrap(node.callee);
    if (callee?.type !== 'MemberExpression' || !isNode(callee.property)) continue;
    const [first] = node.arguments as Node[];
    if (callee.property.name === 'collections' && first === undefined) return 'all';
    const model = callee.property.name === 'loader' ? stringOf(first) : undefined;
    if (model !== undefined) models.add(model);
  }
  return models;
}
