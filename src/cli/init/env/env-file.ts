import { parseEnv } from 'node:util';
import { LuidConfigError } from '../../../shared/errors.ts';

export interface EnvFile {
  readonly text: string;
  /** Variables whose value is replaced. */
  readonly replaced: readonly string[];
  /** Variables that were missing or empty. */
  readonly added: readonly string[];
}

const PARSERS = [(text: string) => ({ ...parseEnv(text) }), parseLikeDotenv];

/**
 * Sets variables in the text of a `.env` file and keeps all other lines. Throws if tools would parse a value, or
 * the rest of the file, differently.
 */
export function setEnvVariables(before: string, values: Readonly<Record<string, string>>): EnvFile {
  const known = parseEnv(before);
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  const replaced: string[] = [];
  const added: string[] = [];
  let text = before;
  for (const [name, value] of Object.entries(values)) {
    if (known[name] === value) continue;
    const written = formatEnvValue(value);
    if (written === undefined) throw unwritable(name);
    (known[name] ? replaced : added).push(name);
    text = setVariable(text, name, `${name}=${written}`, eol);
  }
  checkParsers(before, text, values);
  return { text, replaced, added };
}

/** Replaces the last line that sets the variable, or adds one. */
function setVariable(text: string, name: string, line: string, eol: string): string {
  const lines = [...text.matchAll(new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[^\\r\\n]*`, 'gm'))];
  const last = lines.at(-1);
  if (last) return text.slice(0, last.index) + line + text.slice(last.index + last[0].length);
  return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${line}${eol}`;
}

/** Every parser must see the new values and leave the others unchanged: an unclosed quote above could swallow them. */
function checkParsers(before: string, after: string, values: Readonly<Record<string, string>>): void {
  if (before === after) return;
  for (const parse of PARSERS) {
    const expected = { ...parse(before), ...values };
    const found = parse(after);
    const wrong = Object.keys({ ...expected, ...found }).find((name) => found[name] !== expected[name]);
    if (wrong === undefined) continue;
    throw new LuidConfigError(`Cannot safely add to .env: ${wrong} would be parsed differently`, {
      hint: `Set ${Object.keys(values).join(', ')} in it by hand, then run this command again.`,
    });
  }
}

function unwritable(name: string): LuidConfigError {
  return new LuidConfigError(`${name} has characters that tools parse differently in .env files`, {
    hint: `Set ${name} in the environment instead, or use a value without quotes, \`$\` and control characters.`,
  });
}

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
