import { asLocal, freeName, isSameModule } from './astro-config.ts';
import { type Collection, collectionCode } from './collections.ts';
import { applyChanges, detectStyle, insertImports, insertMembers } from './source/insert-code.ts';
import {
  importsOf,
  isNode,
  type Node,
  nameOf,
  nodesIn,
  parseSource,
  resolveName,
  type Source,
  stringOf,
  UnsupportedSyntaxError,
  unwrap,
} from './source/parse-source.ts';

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
  const source = parseSource(text);
  const style = detectStyle(source);
  const object = collectionsOf(source);
  const loaded = loadedModels(source);
  if (loaded === 'all') return text;
  const missing = collections.filter(({ model }) => !loaded.has(model));
  if (missing.length === 0) return text;

  const imports = importsOf(source);
  const define = imports.find(
    ({ imported, from }) => imported === 'defineCollection' && from === 'astro:content',
  );
  const known = imports.find(
    ({ imported, from }) => imported === space.name && isSameModule(from, space.from),
  );
  const names = {
    define: define?.local ?? freeName(source, 'defineCollection'),
    space: known?.local ?? freeName(source, space.name),
    quote: style.quote,
  };
  const { quote, semicolon } = style;
  const lines = [
    !define &&
      `import { ${asLocal('defineCollection', names.define)} } from ${quote}astro:content${quote}${semicolon}`,
    !known && `import { ${asLocal(space.name, names.space)} } from ${quote}${space.from}${quote}${semicolon}`,
  ].filter((line) => line !== false);

  const taken = new Set((object.properties as Node[]).map(nameOf));
  const members = missing.map((one) => ({ code: collectionCode(nameFor(one.model, taken), one, names) }));
  const result = applyChanges(text, [
    ...insertImports(source, lines, style.eol),
    ...insertMembers(source, object, members, style),
  ]);
  const check = loadedModels(parseSource(result));
  if (check !== 'all' && missing.every(({ model }) => check.has(model))) return result;
  throw new UnsupportedSyntaxError('the change could not be verified');
}

function nameFor(model: string, taken: ReadonlySet<string | undefined>): string {
  return taken.has(model) ? `luid_${model}` : model;
}

/** The object literal behind `export const collections` or `export { collections }`. */
function collectionsOf(source: Source): Node {
  const isExported = source.body.some(
    ({ type, declaration, specifiers }) =>
      type === 'ExportNamedDeclaration' &&
      ([...nodesIn(declaration)].some(({ id }) => isNode(id) && id.name === 'collections') ||
        (specifiers as Node[]).some(({ exported }) => isNode(exported) && exported.name === 'collections')),
  );
  const name = { type: 'Identifier', name: localName(source), start: 0, end: 0 };
  const object = resolveName(source, name);
  if (isExported && object?.type === 'ObjectExpression') return object;
  throw new UnsupportedSyntaxError('`collections` is not exported as an object literal');
}

function localName({ body }: Source): string {
  for (const { specifiers } of body) {
    const found = ((specifiers ?? []) as Node[]).find(
      ({ type, exported }) =>
        type === 'ExportSpecifier' && isNode(exported) && exported.name === 'collections',
    );
    if (isNode(found?.local)) return String(found.local.name);
  }
  return 'collections';
}

/** The models that the file loads, under any collection name: `x.loader('article')`, `x.collections()`. */
export function loadedModels(source: Source): ReadonlySet<string> | 'all' {
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
