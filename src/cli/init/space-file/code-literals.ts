import { printable } from '../../../shared/printable.ts';

/** A TypeScript string literal. Escapes everything that could end the line or the literal, or reorder the display. */
export function quoted(text: string, quote: "'" | '"' = "'"): string {
  const inner = printable(JSON.stringify(text).slice(1, -1));
  return quote === '"' ? `"${inner}"` : `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A string literal in an `.astro` file, where markup and `---` have a meaning even inside literals. */
export function quotedInAstro(text: string): string {
  return quoted(text).replaceAll(/[<>{}`&]|-(?=-)/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** A property name in an object literal. `__proto__` defines a property only if it is computed. */
export function propertyName(name: string, quote?: "'" | '"'): string {
  if (name === '__proto__') return `[${quoted(name, quote)}]`;
  return isIdentifier(name) ? name : quoted(name, quote);
}

/** A property access: `.title`, `['3d']`. */
export function propertyAccess(name: string): string {
  return isIdentifier(name) ? `.${name}` : `[${quotedInAstro(name)}]`;
}

/** Escapes text for a line or block comment, on one line. */
export function commentText(text: string): string {
  return printable(text).replaceAll('*/', '*\\/');
}

function isIdentifier(name: string): boolean {
  return /^[a-z_$][\w$]*$/i.test(name);
}
