/** Characters that need no quotes in any parser of `.env` files. */
const PLAIN = /^[\w./:@%+,=-]+$/;
/** What Vite expands or unescapes in a value, quoted or not. */
const EXPANDED = /\$[{A-Za-z_]|\\\$/;
const LINE_OF_DOTENV =
  /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?(?:$|$)/gm;

/**
 * Quotes a value for a `.env` file so that Node, dotenv and Vite (which expands `$NAME`) all parse the same
 * string; `undefined` if that is impossible.
 */
export function formatEnvValue(value: string): string | undefined {
  if (!/^[\x20-\x7e]+$/.test(value) || EXPANDED.test(value)) return undefined;
  if (PLAIN.test(value)) return value;
  const quote = ["'", '"', '`'].find((one) => !value.includes(one) && isLiteralWithin(value, one));
  return quote === undefined ? undefined : `${quote}${value}${quote}`;
}

/** Whether no backslash could be parsed as an escape between these quotes. */
function isLiteralWithin(value: string, quote: string): boolean {
  return quote === '"' ? !value.includes('\\') : !value.endsWith('\\');
}

/** Parses a `.env` file like dotenv, which Vite 7 and other tools use. */
export function parseLikeDotenv(text: string): Record<string, string> {
  const values: Record<string, string> = Object.create(null);
  for (const [, name = '', raw = ''] of text.replaceAll(/\r\n?/g, '\n').matchAll(LINE_OF_DOTENV)) {
    const trimmed = raw.trim();
    const inner = trimmed.replace(/^(['"`])([\s\S]*)\1$/gm, '$2');
    values[name] = trimmed.startsWith('"') ? inner.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : inner;
  }
  return values;
}
