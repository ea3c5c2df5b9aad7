/** Control characters, line and paragraph separators, direction overrides, and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Makes a remote string safe to print on one line: characters that could end the line, move the cursor,
 * reorder text or start a CI command are escaped, as in `\u001b`. Cuts it to `max` characters.
 */
export function printable(text: string, max = Number.POSITIVE_INFINITY): string {
  const shown = text.length > max ? `${text.slice(0, Math.max(0, max - 1))}…` : text;
  return shown.replaceAll(UNPRINTABLE, escapeCharacter).replaceAll(COMMAND, escapeCharacter);
}

/** Makes JSON safe to print. It still parses to the same value: the escapes are those of JSON strings. */
export function printableJson(json: string): string {
  return json
    .replaceAll(UNPRINTABLE, (character) => (character === '\n' ? character : escapeCharacter(character)))
    .replaceAll(COMMAND, escapeCharacter);
}

/** CI commands in a log: `##[` and `##vso[` anywhere in a line, `::` at its start. */
const COMMAND = /(?<=#)#(?=(?:vso)?\[)|(?<=^\s*):(?=:)/gi;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
