import { applyChanges, type CodeStyle, detectStyle, insertImports, insertMembers } from './insert-code.ts';
import {
  importsOf,
  type Node,
  parseSource,
  type Source,
  UnsupportedSyntaxError,
  usesName,
} from './parse-source.ts';

/** Names that are imported, and members that are added to literals, of a module of the user. */
export class ModuleEdit {
  readonly source: Source;
  readonly style: CodeStyle;
  readonly #imports: string[] = [];
  readonly #members: ReturnType<typeof insertMembers> = [];

  constructor(text: string) {
    this.source = parseSource(text);
    this.style = detectStyle(this.source);
  }

  /** The local name of what is imported from one of these modules; `undefined` if it is not imported. */
  imported(name: string, ...modules: readonly string[]): string | undefined {
    const found = importsOf(this.source).find(
      ({ imported, from }) => imported === name && modules.some((module) => isSameModule(from, module)),
    );
    return found?.local;
  }

  /** The local name of an export of a module, which is imported if it is not yet. */
  import(name: string, module: string, preferred = name): string {
    const known = this.imported(name, module);
    if (known !== undefined) return known;
    const local = freeName(this.source, preferred);
    const names = name === 'default' ? local : `{ ${asLocal(name, local)} }`;
    const { quote, semicolon } = this.style;
    this.#imports.push(`import ${names} from ${quote}${module}${quote}${semicolon}`);
    return local;
  }

  add(literal: Node, codes: readonly string[]): void {
    const members = codes.map((code) => ({ code }));
    this.#members.push(...insertMembers(this.source, literal, members, this.style));
  }

  /** The text with all changes. Throws `UnsupportedSyntaxError` unless that is what was meant. */
  apply(isCorrect: (changed: Source) => boolean): string {
    const imports = insertImports(this.source, this.#imports, this.style.eol);
    const text = applyChanges(this.source.text, [...imports, ...this.#members]);
    if (isCorrect(parseSource(text))) return text;
    throw new UnsupportedSyntaxError('the change could not be verified');
  }
}

/** `./src/space` and `./src/space.ts` are the same module. */
function isSameModule(one: string, other: string): boolean {
  const plain = (path: string) => path.replace(/\.[mc]?[jt]s$/, '').replace(/^@\/|^~\//, './');
  return plain(one) === plain(other);
}

/** The name, or another one if the module uses it. */
export function freeName(source: Source, name: string): string {
  if (!usesName(source, name)) return name;
  const other = name === 'luid' ? 'luidIntegration' : `luid${name[0]?.toUpperCase()}${name.slice(1)}`;
  if (usesName(source, other))
    throw new UnsupportedSyntaxError(`\`${name}\` and \`${other}\` are already used`);
  return other;
}

/** `field as luidField` */
export function asLocal(name: string, local: string): string {
  return name === local ? name : `${name} as ${local}`;
}
