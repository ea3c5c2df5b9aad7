import { parseInstant } from '../../contract/instant.ts';
import type { InferenceRule, InferredField, OperatorSupport } from './inference-rule.ts';
import type { Observations } from './observations.ts';

/** From this many values on, no other value is expected. */
const ENOUGH_VALUES = 20;
/** Longer single lines are mostly in fields that allow several lines. */
const LONG_LINE = 60;
const MAX_OPTION_LENGTH = 40;
const MAX_OPTIONS = 30;

/** The strings that were seen in a field. */
interface Strings {
  /** Each different string once. */
  readonly values: readonly string[];
  readonly seen: Observations;
  /** What the service accepts; empty if that is not known. */
  readonly operators: OperatorSupport;
  /** The field gives `_title`. */
  readonly isTitle: boolean;
}

/**
 * A rule for fields of strings. §2.2 returns all types of text as strings, so only a line break, markup, a time or the
 * operators that the service supports (§4.1) prove a type; everything else leaves a doubt.
 */
export function stringRule(
  rank: number,
  infer: (strings: Strings) => InferredField | undefined,
): InferenceRule {
  return {
    rank,
    infer: (seen, { isTitle, operatorSupportOf }) =>
      infer({ seen, values: [...seen.texts.keys()], operators: operatorSupportOf(seen) ?? {}, isTitle }),
  };
}

export function inferTitle({ operators, isTitle }: Strings): InferredField | undefined {
  return isTitle ? { field: { type: 'text' }, proved: operators.contains && operators.eq } : undefined;
}

export function inferDatetime({ seen, values, operators }: Strings): InferredField | undefined {
  if (operators.contains || operators.eq) return undefined;
  // As builds read the times of the service.
  if (!values.every((value) => parseInstant(value, { assumeUtc: true }) !== undefined)) return undefined;
  const few = seen.filled.size < 3;
  return { field: { type: 'datetime' }, doubt: few ? 'only one or two seen, or text' : undefined };
}

const TAG = /<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/i;
const PARAGRAPH = /<(p|h[1-6]|ul|ol|li|div|blockquote|table|figure|pre)[\s>]/i;

export function inferFlexibleText({ seen, values, operators }: Strings): InferredField | undefined {
  const marked = countMarked(values);
  const field = { type: 'flexible_text' } as const;
  if (operators.eq) return undefined;
  if (operators.eq === false && operators.contains !== false) return { field, proved: true };
  if (marked === 0 || marked < values.length / 2) return undefined;
  if (marked < values.length) {
    return { field, doubt: `${values.length - marked} of ${values.length} texts have no markup` };
  }
  if (!values.every((value) => PARAGRAPH.test(value))) {
    return { field, doubt: 'markup without paragraphs: flexible text or multi-line' };
  }
  return { field, doubt: seen.filled.size < 3 ? 'only one or two seen' : undefined };
}

export function inferMultiline({ values, operators }: Strings): InferredField | undefined {
  if (!values.some((value) => /[\r\n]/.test(value))) return undefined;
  // Of all strings, only a select has `eq` without `contains`: an option may have a line break too.
  if (operators.eq && operators.contains === false) return undefined;
  const doubt = operators.eq ? undefined : doubtOfMarkup(values);
  return { field: { type: 'multiline' }, doubt, proved: operators.eq && operators.contains };
}

export function inferSelect({ seen, values, operators }: Strings): InferredField | undefined {
  if (operators.contains) return undefined;
  const proved = operators.eq === true && operators.contains === false;
  const count = values.length;
  const times = timesSeen(seen);
  const couldBe = count <= MAX_OPTIONS && values.every((value) => value.length <= MAX_OPTION_LENGTH);
  if (!proved && (!couldBe || count < 2 || times < 3 * count)) return undefined;
  const { options, doubt } = inferOptions(seen);
  return {
    field: options ? { type: 'select', options } : { type: 'select' },
    values: count,
    doubt: proved ? doubt : `${count} values in ${times}: select or text`,
    proved,
  };
}

/** Whole sentences are mostly in multi-line fields. */
export function inferMultilineFromSentences({ values, operators }: Strings): InferredField | undefined {
  const sentences = values.filter((value) => /[.!?。！？]["'”’」』）)]?$/.test(value.trimEnd()));
  if (sentences.length < 0.9 * values.length) return undefined;
  const others = operators.eq ? 'text' : 'text or flexible text';
  return {
    field: { type: 'multiline' },
    doubt: `sentences, but no line break seen: multi-line, or ${others}`,
  };
}

export function inferText({ seen, values, operators }: Strings): InferredField {
  const times = timesSeen(seen);
  const few = times < ENOUGH_VALUES;
  const repeats = values.length < 0.9 * times;
  const couldBeSelect = values.every((value) => value.length <= MAX_OPTION_LENGTH);
  const isLong = values.some((value) => value.length > LONG_LINE);
  const isWords = values.some((value) => !/^[\x21-\x7e]+$/.test(value));
  const doubts = [
    !operators.eq && doubtOfMarkup(values),
    !operators.contains &&
      (few || repeats) &&
      couldBeSelect &&
      `${values.length} different in ${times}: text or select`,
    !operators.eq && few && 'few seen: text or flexible text',
    isLong && 'no line break seen, but long: text or multi-line',
    few && isWords && 'few seen: text or multi-line',
  ];
  const doubt = doubts.find((one) => typeof one === 'string');
  return { field: { type: 'text' }, doubt, proved: operators.contains && operators.eq };
}

function countMarked(values: readonly string[]): number {
  return values.filter((value) => TAG.test(value)).length;
}

function doubtOfMarkup(values: readonly string[]): string | undefined {
  const marked = countMarked(values);
  return marked > 0 ? `${marked} of ${values.length} texts have markup` : undefined;
}

/**
 * The options of a select, as far as the content shows them. With ten times as many observations as options, and
 * no option that was seen only once, further options are unlikely. If most were seen only once or twice, no options
 * are declared, because a build would fail on any other.
 */
export function inferOptions(seen: Observations): { options?: string[]; doubt?: string } {
  const options = [...seen.texts.keys()].sort();
  const times = timesSeen(seen);
  if (options.length > MAX_OPTIONS || options.includes('')) return {};
  if (times < 3 * options.length) return { doubt: `too few seen to name the options: ${shortList(options)}` };
  const rare = [...seen.texts.values()].some((places) => places.size < 2);
  if (!rare && options.length > 1 && times >= 10 * options.length) return { options };
  return { options, doubt: 'there may be other options' };
}

function shortList(texts: readonly string[]): string {
  const shown = texts.slice(0, 6).map((text) => JSON.stringify(text.slice(0, MAX_OPTION_LENGTH)));
  return texts.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ');
}

/** How often strings were seen. One that is the same in several languages counts once. */
function timesSeen(seen: Observations): number {
  return [...seen.texts.values()].reduce((times, places) => times + places.size, 0);
}
