import { parseInstant } from '../../contract/instant.ts';
import type { InferenceRule } from './inference-rule.ts';
import type { Sightings } from './sightings.ts';
import type { Proof, Verdict } from './verdict.ts';

/** From this many values on, one that was never seen is not expected any more. */
const MANY = 20;
/** Longer single lines are mostly of fields that may have several. */
const LONG_LINE = 60;
const LONGEST_OPTION = 40;
const MOST_OPTIONS = 30;

/**
 * A rule for fields of strings. §2.2 shows all types of text as strings, so only a line break, markup, a time or the
 * operators that the service accepts (§4.1) are proof; everything else is a doubt.
 */
export function textRule(
  rank: number,
  judge: (seen: Sightings, values: readonly string[], proof: Proof, isTitle: boolean) => Verdict | undefined,
): InferenceRule {
  return {
    rank,
    judge: (seen, { isTitle, proofOf }) => judge(seen, [...seen.texts.keys()], proofOf(seen) ?? {}, isTitle),
  };
}

export function judgeTitle(
  _seen: Sightings,
  _values: readonly string[],
  proof: Proof,
  isTitle: boolean,
): Verdict | undefined {
  return isTitle ? { field: { type: 'text' }, proved: proof.contains && proof.eq } : undefined;
}

export function judgeTime(seen: Sightings, values: readonly string[], proof: Proof): Verdict | undefined {
  if (proof.contains || proof.eq) return undefined;
  if (!values.every((value) => parseInstant(value) !== undefined)) return undefined;
  const few = seen.filled.size < 3;
  return { field: { type: 'datetime' }, doubt: few ? 'only one or two seen, or text' : undefined };
}

const TAG = /<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/i;
const PARAGRAPH = /<(p|h[1-6]|ul|ol|li|div|blockquote|table|figure|pre)[\s>]/i;

export function judgeMarkup(seen: Sightings, values: readonly string[], proof: Proof): Verdict | undefined {
  const marked = values.filter((value) => TAG.test(value));
  const field = { type: 'flexible_text' } as const;
  if (proof.eq) return undefined;
  if (proof.eq === false && proof.contains !== false) return { field, proved: true };
  if (marked.length === 0 || marked.length < values.length / 2) return undefined;
  if (marked.length < values.length) {
    return { field, doubt: `${values.length - marked.length} of ${values.length} texts have no markup` };
  }
  if (!values.every((value) => PARAGRAPH.test(value))) {
    return { field, doubt: 'markup without paragraphs, as a multi-line text may hold' };
  }
  return { field, doubt: seen.filled.size < 3 ? 'only one or two seen' : undefined };
}

export function judgeLines(_seen: Sightings, values: readonly string[], proof: Proof): Verdict | undefined {
  if (!values.some((value) => /[\r\n]/.test(value))) return undefined;
  const proved = proof.eq === true;
  const marked = values.filter((value) => TAG.test(value)).length;
  const doubt = marked > 0 && !proved ? `${marked} of ${values.length} texts have markup` : undefined;
  return { field: { type: 'multiline' }, doubt, proved };
}

export function judgeChoice(seen: Sightings, values: readonly string[], proof: Proof): Verdict | undefined {
  if (proof.contains) return undefined;
  const proved = proof.eq === true && proof.contains === false;
  const count = values.length;
  const times = timesSeen(seen);
  const couldBe = count <= MOST_OPTIONS && values.every((value) => value.length <= LONGEST_OPTION);
  if (!proved && (!couldBe || count < 2 || times < 3 * count)) return undefined;
  const { options, doubt } = judgeOptions(seen);
  return {
    field: options ? { type: 'select', options } : { type: 'select' },
    values: count,
    doubt: proved ? doubt : `${count} values in ${times}: a select, or a text that repeats itself`,
    proved,
  };
}

/** Whole sentences are mostly written where there is room for several lines. */
export function judgeSentences(
  _seen: Sightings,
  values: readonly string[],
  proof: Proof,
): Verdict | undefined {
  const sentences = values.filter((value) => /[.!?。！？]["'”’」』）)]?$/.test(value.trimEnd()));
  if (sentences.length < 0.9 * values.length) return undefined;
  const others = proof.eq ? 'text' : 'text or flexible text';
  return {
    field: { type: 'multiline' },
    doubt: `sentences, but no line break seen: multi-line, or ${others}`,
  };
}

export function judgeLine(seen: Sightings, values: readonly string[], proof: Proof): Verdict {
  const times = timesSeen(seen);
  const few = times < MANY;
  const marked = values.filter((value) => TAG.test(value)).length;
  const repeats = values.length < 0.9 * times;
  const isLong = values.some((value) => value.length > LONG_LINE);
  const isWords = values.some((value) => !/^[\x21-\x7e]+$/.test(value));
  const doubts = [
    !proof.eq && marked > 0 && `${marked} of ${values.length} texts have markup`,
    !proof.contains && (few || repeats) && couldBeChoice(values, times),
    !proof.eq && few && 'few seen: text or flexible text',
    isLong && 'no line break seen, but long: text or multi-line',
    few && isWords && 'few seen: text or multi-line',
  ].filter((doubt) => doubt !== false);
  return { field: { type: 'text' }, doubt: doubts[0], proved: proof.contains && proof.eq };
}

function couldBeChoice(values: readonly string[], times: number): string | false {
  if (values.some((value) => value.length > LONGEST_OPTION)) return false;
  return `${values.length} different in ${times}: text or select`;
}

/**
 * The options of a choice, as far as they were seen. Ten times as many sightings as options, and none
 * seen only once, leave little room for others. Where most were seen only once or twice none are named,
 * for a build would refuse the others.
 */
export function judgeOptions(seen: Sightings): { options?: string[]; doubt?: string } {
  const options = [...seen.texts.keys()].sort();
  const times = timesSeen(seen);
  if (options.length > MOST_OPTIONS || options.includes('')) return {};
  if (times < 3 * options.length) return { doubt: `too few seen to name the options: ${shortList(options)}` };
  const rare = [...seen.texts.values()].some((places) => places.size < 2);
  if (!rare && options.length > 1 && times >= 10 * options.length) return { options };
  return { options, doubt: 'there may be other options' };
}

function shortList(texts: readonly string[]): string {
  const shown = texts.slice(0, 6).map((text) => JSON.stringify(text.slice(0, LONGEST_OPTION)));
  return texts.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ');
}

/** How often texts were seen, one counted once in a place, whatever languages it stands in. */
function timesSeen(seen: Sightings): number {
  let times = 0;
  for (const places of seen.texts.values()) times += places.size;
  return times;
}
