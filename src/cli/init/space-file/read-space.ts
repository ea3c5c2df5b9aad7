import type { Field } from '../../../models/field-types/index.ts';
import { cliFieldTypeOf, typeOfBuilder } from '../../field-types/index.ts';
import {
  constants,
  exportsOf,
  type ImportedName,
  importsOf,
  isNode,
  type Node,
  nameOf,
  nodesIn,
  parseSource,
  propertyOf,
  resolveName,
  type Source,
  stringOf,
  UnsupportedSyntaxError,
  unwrap,
} from '../edit/parse-source.ts';

/** An object literal of a space file: a group of fields, or of groups. */
export interface DeclaredObject<T> {
  /** The literal, to add members to. */
  readonly object: Node;
  readonly members: ReadonlyMap<string, T>;
  /** It has a spread or a computed name, so there may be further members. */
  readonly isOpen: boolean;
}

export type DeclaredGroup = DeclaredObject<DeclaredField>;
/** Models or field sets; `undefined` for a group that is not an object literal. */
export type DeclaredSets = DeclaredObject<DeclaredGroup | undefined>;

export interface DeclaredField {
  /** `undefined` if it is not known without running the code. */
  readonly type: Field['type'] | undefined;
  /** The source code of the declaration. */
  readonly code: string;
  readonly options?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
  /** Of a repeat or a field set. */
  readonly group?: DeclaredGroup | undefined;
  /** Of a combination. */
  readonly sets?: DeclaredSets | undefined;
}

/** What a space file declares, analysed without running it. */
export interface DeclaredSpace {
  readonly source: Source;
  /** The export name of the space. */
  readonly name: string;
  /** The argument of `defineSpace`. */
  readonly options: Node;
  readonly models: DeclaredSets;
  /** The local name of `field`; `undefined` if it is not imported. */
  readonly field: string | undefined;
  /** Where `defineSpace` is imported, to import `field` beside it. */
  readonly importOfDefine: Node;
}

/** Analyses a space file. Throws `UnsupportedSyntaxError` unless it has exactly one `defineSpace({ models: { … } })`. */
export function readSpace(text: string): DeclaredSpace {
  const source = parseSource(text);
  const { call, define } = findDefinition(source);
  const field = importsOf(source).find(isImportOf('field'))?.local;
  const options = resolveName(source, (call.arguments as Node[])[0]);
  const models = options?.type === 'ObjectExpression' ? propertyOf(options, 'models') : undefined;
  const declared = models && readSets(source, models.value, field);
  if (!options || !declared) throw new UnsupportedSyntaxError('`models` is not an object literal');
  const name = exportedName(source, call);
  return { source, name, options, models: declared, field, importOfDefine: define.specifier };
}

/**
 * The export name of the only space in a file; `space` if a file that gets its space from elsewhere exports that name.
 * Throws `UnsupportedSyntaxError`.
 */
export function readSpaceName(text: string): string {
  const source = parseSource(text);
  const defines = importsOf(source).some(isImportOf('defineSpace'));
  if (!defines && exportsOf(source).some(({ exported }) => exported === 'space')) return 'space';
  return exportedName(source, findDefinition(source).call);
}

/** The only call of `defineSpace`, and its import. */
function findDefinition(source: Source): { call: Node; define: ImportedName } {
  const define = importsOf(source).find(isImportOf('defineSpace'));
  const calls = [...nodesIn(source.body)].filter(
    ({ type, callee }) => type === 'CallExpression' && isNode(callee) && callee.name === define?.local,
  );
  const [call] = calls;
  if (define && call && calls.length === 1) return { call, define };
  throw new UnsupportedSyntaxError(
    calls.length > 1 ? 'it defines several spaces' : 'it has no defineSpace({ … })',
  );
}

function isImportOf(name: string): (one: ImportedName) => boolean {
  return ({ imported, from }) => imported === name && from === 'astro-luid';
}

function exportedName(source: Source, call: Node): string {
  const [name] = [...constants(source)].find(([, { init }]) => unwrap(init) === call) ?? [];
  const found = exportsOf(source).find(({ local, exported }) => local === name && exported !== 'default');
  if (name !== undefined && found) return found.exported;
  throw new UnsupportedSyntaxError('the space is not exported as a constant');
}

function readSets(source: Source, node: unknown, field: string | undefined): DeclaredSets | undefined {
  return readObject(source, node, (value) => readGroup(source, value, field));
}

function readGroup(source: Source, node: unknown, field: string | undefined): DeclaredGroup | undefined {
  return readObject(source, node, (value) => readField(source, value, field));
}

function readObject<T>(
  source: Source,
  node: unknown,
  readMember: (value: unknown) => T,
): DeclaredObject<T> | undefined {
  const object = resolveName(source, node);
  if (object?.type !== 'ObjectExpression') return undefined;
  const members = new Map<string, T>();
  let isOpen = false;
  for (const property of object.properties as Node[]) {
    const name = propertyNameOf(property);
    if (name === undefined) isOpen = true;
    else members.set(name, readMember(property.value));
  }
  return { object, members, isOpen };
}

/** Includes computed literals such as `['__proto__']`. */
function propertyNameOf(property: Node): string | undefined {
  if (property.type !== 'ObjectProperty') return undefined;
  return nameOf(property) ?? stringOf(property.key);
}

function readField(source: Source, node: unknown, field: string | undefined): DeclaredField {
  const call = resolveName(source, node);
  const code = isNode(node) ? source.text.slice(node.start, node.end) : '';
  const callee = call?.type === 'CallExpression' ? unwrap(call.callee) : undefined;
  const isBuilder =
    callee?.type === 'MemberExpression' && isNode(callee.object) && callee.object.name === field;
  const builder = isBuilder && isNode(callee.property) ? String(callee.property.name) : '';
  const type = typeOfBuilder(builder);
  const [first] = (call?.arguments ?? []) as Node[];
  switch (type && cliFieldTypeOf({ type }).argument) {
    case 'options':
      return { type, code, options: stringsOf(source, first) };
    case 'models':
      return { type, code, models: stringsOf(source, first) };
    case 'fields':
      return { type, code, group: readGroup(source, first, field) };
    case 'sets':
      return { type, code, sets: readSets(source, first, field) };
    default:
      return { type, code };
  }
}

/** A string, or a list of them, as a list; `undefined` for anything else. */
function stringsOf(source: Source, node: unknown): string[] | undefined {
  const value = resolveName(source, node);
  const one = stringOf(value);
  if (one !== undefined) return [one];
  if (value?.type !== 'ArrayExpression') return undefined;
  const strings = (value.elements as unknown[]).map(stringOf);
  return strings.every((one) => one !== undefined) ? strings : undefined;
}
