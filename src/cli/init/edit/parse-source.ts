import { parseModule } from 'magicast';

/** A node of the syntax tree, with its position in the text. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A parsed JavaScript or TypeScript module. */
export interface Source {
  readonly text: string;
  readonly body: readonly Node[];
}

/** The syntax of a file is valid, but this package cannot analyse or extend it. */
export class UnsupportedSyntaxError extends Error {}

/** `undefined` if the analysis throws `UnsupportedSyntaxError`. */
export function unlessUnsupported<T>(analyse: () => T): T | undefined {
  try {
    return analyse();
  } catch (error) {
    if (error instanceof UnsupportedSyntaxError) return undefined;
    throw error;
  }
}

/** Throws `UnsupportedSyntaxError` if the text does not parse. */
export function parseSource(text: string): Source {
  // The parser normalizes tabs and line ends, and splits lines at line separators, even in strings: with spaces
  // instead, its positions match the text.
  const sameLength = text.replaceAll(/[\t\v\f\r\ufeff\u2028\u2029]/g, ' ');
  try {
    const program = parseModule(sameLength).$ast as unknown as { body: Node[] };
    return { text, body: program.body };
  } catch (cause) {
    throw new UnsupportedSyntaxError('it cannot be parsed', { cause });
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** The node inside `as const`, `satisfies T`, `x!` and parentheses. */
export function unwrap(node: unknown): Node | undefined {
  if (!isNode(node)) return undefined;
  const isWrapper = /^(TS(As|Satisfies|NonNull|TypeAssertion).*|ParenthesizedExpression)$/.test(node.type);
  return isWrapper ? unwrap(node.expression) : node;
}

/** The value of an expression; the initial value if it is the name of a module constant. */
export function resolveName(source: Source, node: unknown): Node | undefined {
  const value = unwrap(node);
  return value?.type === 'Identifier' ? constantOf(source, String(value.name)) : value;
}

/** The initial value of a module constant. */
export function constantOf(source: Source, name: string): Node | undefined {
  return unwrap(constants(source).get(name)?.init);
}

/** The top-level `const`, `let` and `var` of a module, exported or not. */
export function constants({ body }: Source): Map<string, Node> {
  const found = new Map<string, Node>();
  for (const statement of body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (!isNode(declaration) || declaration.type !== 'VariableDeclaration') continue;
    for (const one of declaration.declarations as Node[]) {
      if (isNode(one.id) && one.id.type === 'Identifier') found.set(String(one.id.name), one);
    }
  }
  return found;
}

export interface ImportedName {
  /** `default`, `*`, or the name in the other module. */
  readonly imported: string;
  readonly local: string;
  readonly from: string;
  /** `defineSpace as define` in `import { defineSpace as define, … }` */
  readonly specifier: Node;
}

export function importsOf({ body }: Source): ImportedName[] {
  return body
    .filter(({ type, importKind }) => type === 'ImportDeclaration' && importKind !== 'type')
    .flatMap((statement) =>
      (statement.specifiers as Node[]).map((specifier) => ({
        imported: importedName(specifier),
        local: String((specifier.local as Node).name),
        from: String((statement.source as Node).value),
        specifier,
      })),
    );
}

function importedName({ type, imported }: Node): string {
  if (type === 'ImportDefaultSpecifier') return 'default';
  if (type === 'ImportNamespaceSpecifier') return '*';
  const { name, value } = imported as Node;
  return String(name ?? value);
}

export interface ExportedName {
  readonly exported: string;
  /** The constant; `undefined` if it is exported from another module. */
  readonly local: string | undefined;
}

/** The names in `export const cms = …`, `export { cms }`, `export { local as cms }` and `export { cms } from '…'`. */
export function exportsOf({ body }: Source): ExportedName[] {
  return body
    .filter(({ type, exportKind }) => type === 'ExportNamedDeclaration' && exportKind !== 'type')
    .flatMap(({ declaration, specifiers, source }) => {
      const declared = isNode(declaration) ? ((declaration.declarations ?? []) as Node[]) : [];
      return [
        ...declared.map(({ id }) => ({ exported: nameIn(id), local: nameIn(id) })),
        ...(specifiers as Node[]).map(({ exported, local }) => ({
          exported: nameIn(exported),
          local: source ? undefined : nameIn(local),
        })),
      ];
    })
    .filter((one): one is ExportedName => one.exported !== undefined);
}

function nameIn(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : undefined;
}

/** Whether the module contains an identifier of this name. */
export function usesName(source: Source, name: string): boolean {
  for (const node of nodesIn(source.body)) {
    if (node.type === 'Identifier' && node.name === name) return true;
  }
  return false;
}

/** All nodes of a tree, including its root. */
export function* nodesIn(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const one of value) yield* nodesIn(one);
  } else if (isNode(value)) {
    yield value;
    for (const [key, below] of Object.entries(value)) {
      // Positions and comments; `original` is the parser's second copy of the tree.
      if (key !== 'loc' && key !== 'comments' && key !== 'original' && key !== 'tokens')
        yield* nodesIn(below);
    }
  }
}

/** The name of a property, if it is known without running the code. */
export function nameOf({ key, computed }: Node): string | undefined {
  if (!isNode(key)) return undefined;
  if (!computed && key.type === 'Identifier') return String(key.name);
  return /^(String|Numeric)Literal$/.test(key.type) ? String(key.value) : undefined;
}

/** A property of an object literal by name; the last one wins. */
export function propertyOf(object: Node, name: string): Node | undefined {
  return (object.properties as Node[]).findLast((property) => nameOf(property) === name);
}

export function stringOf(node: unknown): string | undefined {
  const value = unwrap(node);
  if (value?.type === 'StringLiteral') return String(value.value);
  if (value?.type !== 'TemplateLiteral' || (value.expressions as Node[]).length > 0) return undefined;
  const [part] = value.quasis as { value: { cooked?: string } }[];
  return part?.value.cooked;
}
