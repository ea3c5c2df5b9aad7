import { JAPANESE } from './japanese.ts';

/**
 * Translates what it knows of a message and leaves the rest: each line by itself, as a whole or sentence by sentence, and
 * after a name or URL that ends with a colon.
 */
export function translate(text: string): string {
  return text.split('\n').map(translateLine).join('\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
const COLOUR = /(\u001b\[[\d;]*m)/;
/** What a line begins with, and what it says. */
const LINE = /^(\s*(?:[→…] )?)(.*?)(\s*)$/s;

function translateLine(line: string): string {
  const [, start = '', body = '', end = ''] = LINE.exec(line) ?? [];
  const whole = translateMessage(body);
  if (whole !== undefined) return start + whole + end;
  const parts = line.split(COLOUR);
  if (parts.length === 1) return line;
  return parts.map((part, index) => (index % 2 === 0 ? translateLine(part) : part)).join('');
}

function translateMessage(text: string): string | undefined {
  return (
    translateWhole(text) ?? translateAfterColon(text) ?? translateSentences(text.split(/(?<=[.?]) (?=\S)/))
  );
}

function translateAfterColon(text: string): string | undefined {
  for (let at = text.indexOf(': '); at >= 0; at = text.indexOf(': ', at + 1)) {
    const rest = text.slice(at + 2);
    const translated = translateWhole(rest) ?? translateSentences(rest.split(/(?<=[.?]) (?=\S)/));
    if (translated !== undefined) return text.slice(0, at + 2) + translated;
  }
  return undefined;
}

/** Sentences without a translation stay as they are; `undefined` if none has one. */
function translateSentences(sentences: readonly string[]): string | undefined {
  if (sentences.length < 2) return undefined;
  const translated = sentences.map(translateWhole);
  if (translated.every((sentence) => sentence === undefined)) return undefined;
  const known = translated.map((sentence, index) => sentence ?? ` ${sentences[index]} `);
  return known.join('').trim();
}

function translateWhole(text: string): string | undefined {
  for (const { pattern, names, japanese } of PATTERNS) {
    const found = pattern.exec(text);
    if (!found) continue;
    const values = new Map(names.map((name, index) => [name, translateValue(name, found[index + 1] ?? '')]));
    const result = japanese.replaceAll(PLACEHOLDER, (_, name: string) => values.get(name) ?? '');
    // Messages of errors have no period at their end.
    return /[.?]$/.test(text) ? result : result.replace(/。$/, '');
  }
  return undefined;
}

function translateValue(name: string, value: string): string {
  if (name !== 'list') return translateWhole(value) ?? value;
  return value
    .split(', ')
    .map((one) => translateWhole(one) ?? one)
    .join('、');
}

export const PLACEHOLDER = /\{(\w+)\}/g;

const PATTERNS = Object.entries(JAPANESE).map(([english, japanese]) => {
  const parts = english.replace(/\.$/, '').split(PLACEHOLDER);
  const source = parts.map((part, index) => (index % 2 === 0 ? escapePattern(part) : groupFor(part)));
  const names = parts.filter((_, index) => index % 2 === 1);
  return { pattern: new RegExp(`^${source.join('')}\\.?$`, 's'), names, japanese };
});

/** `{n}` is a number; `{rest}` and `{_}` may be empty. */
function groupFor(name: string): string {
  if (name === 'n') return '([\\d,]+)';
  return name === 'rest' || name === '_' ? '(.*?)' : '(.+?)';
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
