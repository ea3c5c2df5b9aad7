/** Control characters, line and paragraph separators, direction overrides, and lone surrogates. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal or a log
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * A remote string as one line that is safe to print: what could end the line, move the cursor, reorder
 * characters or start a command of a CI log is written as an escape such as `\u001b`. At most `max` characters.
 */
export function printable(text: string, max = Number.POSITIVE_INFINITY): string {
  const shown = text.length > max ? `${text.slice(0, Math.max(0, max - 1))}…` : text;
  return shown.replaceAll(UNPRINTABLE, escaped).replaceAll(COMMAND, escaped);
}

/** JSON text that is safe to print and means the same: the escapes are those of JSON strings. */
export function printableJson(json: string): string {
  return json
    .replaceAll(UNPRINTABLE, (one) => (one === '\n' ? one : escaped(one)))
    .replaceAll(COMMAND, escaped);
}

/** `##[` and `##vso[` anywhere in a line, `::` at its start: what CI services take for commands in a log. */
const COMMAND = /(?<=#)#(?=(?:vso)?\[)|(?<=^\s*):(?=:)/gi;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
