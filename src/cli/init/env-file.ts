import { parseEnv } from 'node:util';

export interface EnvFile {
  readonly text: string;
  /** Variables that were there with another value, which the text now replaces. */
  readonly replaced: readonly string[];
  /** Those that were not there. */
  readonly added: readonly string[];
}

/** The text of a `.env` file with these variables set and everything else left as it is. */
export function withVariables(text: string, values: Readonly<Record<string, string>>): EnvFile {
  const known = parseEnv(text);
  const replaced: string[] = [];
  const added: string[] = [];
  let result = text;
  for (const [name, value] of Object.entries(values)) {
    if (known[name] === value) continue;
    const line = `${name}=${envValue(value)}`;
    // A file that cannot be read line by line here (a value over several) gets the last word added.
    const existing = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, 'm');
    if (known[name] !== undefined && existing.test(result)) {
      replaced.push(name);
      result = result.replace(existing, () => line);
    } else {
      added.push(name);
      result = `${result}${result === '' || result.endsWith('\n') ? '' : '\n'}${line}\n`;
    }
  }
  return { text: result, replaced, added };
}

/** Quoted where a plain value would be cut short or changed. */
function envValue(value: string): string {
  if (/^[\w./:@%+,-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((one) => !value.includes(one));
  return quote ? `${quote}${value}${quote}` : value;
}
