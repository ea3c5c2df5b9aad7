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
/** What a line begins with, such as the time, and what it says. */
const LINE = /^(\s*(?:\d\d:\d\d:\d\d )?(?:[→…] )?)(.*?)(\s*)$/s;

function translateLine(line: string): string {
  const parts = line.split(COLOUR);
  if (parts.length > 1) {
    return parts.map((part, index) => (index % 2 === 0 ? translateLine(part) : part)).join('');
  }
  const [, start = '', body = '', end = ''] = LINE.exec(line) ?? [];
  return start + (translateSentence(body) ?? translateSentences(body)) + end;
}

/** Sentences without a translation stay as they are. */
function translateSentences(text: string): string {
  const sentences = text.split(/(?<=[.?]) (?=\S)/);
  const translated = sentences.map(translateSentence);
  if (translated.every((sentence) => sentence === undefined)) return text;
  return translated
    .map((sentence, index) => sentence ?? ` ${sentences[index]} `)
    .join('')
    .trim();
}

/** As a whole, else what follows a name or URL that ends with a colon. */
function translateSentence(text: string): string | undefined {
  const whole = translateWhole(text);
  if (whole !== undefined) return whole;
  for (let at = text.indexOf(': '); at >= 0; at = text.indexOf(': ', at + 1)) {
    const rest = translateWhole(text.slice(at + 2));
    if (rest !== undefined) return text.slice(0, at + 2) + rest;
  }
  return undefined;
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
  if (name !== 'list')
    return translateSentence(value) ?? value.replace(/(^|: )(\S+) or (?=\S+$)/, '$1$2 または ');
  return value
    .split(/, | and (?:no )?/)
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

/** `{n}` is a number, `{_}` only words, and `{rest}` anything, also nothing or several sentences. */
function groupFor(name: string): string {
  if (name === 'n') return '([\\d,]+)';
  if (name === '_') return '([a-z -]*)';
  return name === 'rest' ? '(.*?)' : '((?:(?![.?] [A-Z\\d`]).)+?)';
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
