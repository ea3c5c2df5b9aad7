import { parseEnv } from 'node:util';
import { LuidConfigError } from '../../errors.ts';
import { envValue, parseLikeDotenv } from './env-value.ts';

export interface EnvFile {
  readonly text: string;
  /** Variables that had another value, which the text now replaces. */
  readonly replaced: readonly string[];
  /** Variables that were missing or empty. */
  readonly added: readonly string[];
}

const READERS = [(text: string) => ({ ...parseEnv(text) }), parseLikeDotenv];

/**
 * The text of a `.env` file with these variables set and every other line left as it is. Throws where a
 * value, or the file around it, would be read differently by different tools.
 */
export function withVariables(before: string, values: Readonly<Record<string, string>>): EnvFile {
  const known = parseEnv(before);
  const eol = before.includes('\r\n') ? '\r\n' : '\n';
  const replaced: string[] = [];
  const added: string[] = [];
  let text = before;
  for (const [name, value] of Object.entries(values)) {
    if (known[name] === value) continue;
    const written = envValue(value);
    if (written === undefined) throw unwritable(name);
    (known[name] ? replaced : added).push(name);
    text = setVariable(text, name, `${name}=${written}`, eol);
  }
  checkReading(before, text, values);
  return { text, replaced, added };
}

/** Replaces the last line that sets the variable, or adds one. */
function setVariable(text: string, name: string, line: string, eol: string): string {
  const lines = [...text.matchAll(new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=[^\\r\\n]*`, 'gm'))];
  const last = lines.at(-1);
  if (last) return text.slice(0, last.index) + line + text.slice(last.index + last[0].length);
  return `${text}${text === '' || text.endsWith('\n') ? '' : eol}${line}${eol}`;
}

/** Every reader must see the new values, and all others as before: an open quote further up could swallow them. */
function checkReading(before: string, after: string, values: Readonly<Record<string, string>>): void {
  if (before === after) return;
  for (const read of READERS) {
    const expected = { ...read(before), ...values };
    const found = read(after);
    const wrong = Object.keys({ ...expected, ...found }).find((name) => found[name] !== expected[name]);
    if (wrong === undefined) continue;
    throw new LuidConfigError(`.env cannot be extended safely: ${wrong} would be read differently`, {
      hint: `Set ${Object.keys(values).join(', ')} there by hand, then run this command again.`,
    });
  }
}

function unwritable(name: string): LuidConfigError {
  return new LuidConfigError(`${name} has characters that tools read differently in a .env file`, {
    hint: `Set ${name} in the environment instead, or use a value without quotes, \`$\` and control characters.`,
  });
}
