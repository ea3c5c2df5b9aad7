import { ModuleEdit } from './module-edit.ts';
import {
  type Node,
  nodesIn,
  parseSource,
  propertyOf,
  resolveName,
  type Source,
  stringOf,
  UnsupportedSyntaxError,
  unwrap,
} from './parse-source.ts';

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
  const edit = new ModuleEdit(text);
  const { source } = edit;
  const integration = edit.imported('default', ...PACKAGES);
  if (integration !== undefined && isCalled(source, integration)) return text;

  const { name } = space;
  if (name === undefined) throw new UnsupportedSyntaxError('the export name of the space is not known');
  const luid = integration ?? edit.import('default', 'astro-luid/integration', 'luid');
  const call = `${luid}(${edit.import(name, space.from)})`;
  const config = configOf(source);
  const property = propertyOf(config, 'integrations');
  if (property) edit.add(listOf(source, property), [call]);
  else edit.add(config, [`integrations: [${call}]`]);
  return edit.apply(
    (changed) => isCalled(changed, luid) && propertyOf(configOf(changed), 'integrations') !== undefined,
  );
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
