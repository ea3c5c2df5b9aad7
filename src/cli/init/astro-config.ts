import { applyChanges, detectStyle, insertImports, insertMembers } from './source/insert-code.ts';
import {
  importsOf,
  type Node,
  nodesIn,
  parseSource,
  propertyOf,
  resolveName,
  type Source,
  stringOf,
  UnsupportedSyntaxError,
  unwrap,
  usesName,
} from './source/parse-source.ts';

/** In Astro's lookup order. */
export const ASTRO_CONFIGS = [
  'astro.config.mjs',
  'astro.config.js',
  'astro.config.ts',
  'astro.config.mts',
] as const;

const PACKAGES = ['astro-luid', 'astro-luid/integration'];

/**
 * Adds the integration to an Astro config; returns the same text if it has it. Throws `UnsupportedSyntaxError`, also if
 * the export name of the space is not known.
 */
export function addIntegration(text: string, space: { from: string; name: string | undefined }): string {
  const source = parseSource(text);
  const style = detectStyle(source);
  const imports = importsOf(source);
  const integration = imports.find(({ imported, from }) => imported === 'default' && PACKAGES.includes(from));
  if (integration && isCalled(source, integration.local)) return text;

  const { name } = space;
  if (name === undefined) throw new UnsupportedSyntaxError('the export name of the space is not known');
  const known = imports.find(({ imported, from }) => imported === name && isSameModule(from, space.from));
  const luid = integration?.local ?? freeName(source, 'luid');
  const local = known?.local ?? freeName(source, name);
  const { quote, semicolon } = style;
  const lines = [
    !integration && `import ${luid} from ${quote}astro-luid/integration${quote}${semicolon}`,
    !known && `import { ${asLocal(name, local)} } from ${quote}${space.from}${quote}${semicolon}`,
  ].filter((line) => line !== false);

  const config = configOf(source);
  const property = propertyOf(config, 'integrations');
  const call = `${luid}(${local})`;
  const list = property && listOf(source, property);
  const members = list
    ? insertMembers(source, list, [{ code: call }], style)
    : insertMembers(source, config, [{ code: `integrations: [${call}]` }], style);
  const result = applyChanges(text, [...insertImports(source, lines, style.eol), ...members]);
  const check = parseSource(result);
  if (isCalled(check, luid) && propertyOf(configOf(check), 'integrations')) return result;
  throw new UnsupportedSyntaxError('the change could not be verified');
}

/** The object that an Astro config exports, through `defineConfig` or not. Throws `UnsupportedSyntaxError`. */
function configOf(source: Source): Node {
  const exported = source.body.find(({ type }) => type === 'ExportDefaultDeclaration');
  let value = resolveName(source, exported?.declaration);
  if (value?.type === 'CallExpression') value = resolveName(source, (value.arguments as Node[])[0]);
  if (value?.type === 'ObjectExpression') return value;
  throw new UnsupportedSyntaxError('it does not export an object literal');
}

function listOf(source: Source, property: Node): Node {
  const list = resolveName(source, property.value);
  if (list?.type === 'ArrayExpression') return list;
  throw new UnsupportedSyntaxError('`integrations` is not an array literal');
}

/** The `srcDir` of an Astro config; `undefined` if it is not set. Throws `UnsupportedSyntaxError`. */
export function srcDirOf(text: string): string | undefined {
  const source = parseSource(text);
  const property = propertyOf(configOf(source), 'srcDir');
  if (!property) return undefined;
  const value = resolveName(source, property.value);
  const isUrl = value?.type === 'NewExpression' && (value.callee as Node).name === 'URL';
  const folder = stringOf(isUrl ? (value.arguments as Node[])[0] : value);
  if (folder !== undefined && !/^(\/|[a-z]+:|\.\.)/i.test(folder)) return folder;
  throw new UnsupportedSyntaxError('`srcDir` is not a string literal with a folder of the project');
}

function isCalled(source: Source, name: string): boolean {
  for (const node of nodesIn(source.body)) {
    if (node.type === 'CallExpression' && unwrap(node.callee)?.name === name) return true;
  }
  return false;
}

/** `./src/space` and `./src/space.ts` are the same module. */
export function isSameModule(one: string, other: string): boolean {
  const plain = (path: string) => path.replace(/\.[mc]?[jt]s$/, '').replace(/^@\/|^~\//, './');
  return plain(one) === plain(other);
}

export function freeName(source: Source, name: string): string {
  if (!usesName(source, name)) return name;
  const other = name === 'luid' ? 'luidIntegration' : `luid${name[0]?.toUpperCase()}${name.slice(1)}`;
  if (usesName(source, other))
    throw new UnsupportedSyntaxError(`\`${name}\` and \`${other}\` are already used`);
  return other;
}

export function asLocal(name: string, local: string): string {
  return name === local ? name : `${name} as ${local}`;
}
