/** Characters that need no quotes in any reader of `.env` files. */
const PLAIN = /^[\w./:@%+,=-]+$/;
/** What Vite replaces or unescapes in a value, quoted or not. */
const EXPANDED = /\$[{A-Za-z_]|\\\$/;
const LINE_OF_DOTENV =
  /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?(?:$|$)/gm;

/**
 * A value as it is written in a `.env` file, so that Node, dotenv and Vite (which expands `$NAME`) all read
 * the same string; `undefined` if there is no such way.
 */
export function envValue(value: string): string | undefined {
  if (!/^[\x20-\x7e]+$/.test(value) || EXPANDED.test(value)) return undefined;
  if (PLAIN.test(value)) return value;
  const quote = ["'", '"', '`'].find((one) => !value.includes(one) && isPlainWithin(value, one));
  return quote === undefined ? undefined : `${quote}${value}${quote}`;
}

/** Whether a backslash could be read as an escape between these quotes. */
function isPlainWithin(value: string, quote: string): boolean {
  return quote === '"' ? !value.includes('\\') : !value.endsWith('\\');
}

/** The variables of a `.env` file as dotenv reads them, which Vite 7 and other tools use. */
export function parseLikeDotenv(text: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [, name = '', raw = ''] of text.replaceAll(/\r\n?/g, '\n').matchAll(LINE_OF_DOTENV)) {
    const trimmed = raw.trim();
    const inner = trimmed.replace(/^(['"`])([\s\S]*)\1$/gm, '$2');
    values[name] = trimmed.startsWith('"') ? inner.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : inner;
  }
  return values;
}
