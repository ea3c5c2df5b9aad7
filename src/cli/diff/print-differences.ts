import { pluralize } from '../../shared/format-count.ts';
import { printable } from '../../shared/printable.ts';
import { styled } from '../shared/output.ts';
import type { FieldDifference, ItemDifference } from './compare-sides.ts';

const SIGNS = { added: ['green', '+'], removed: ['red', '-'], changed: ['yellow', '~'] } as const;

/** The differences as lines for a terminal. */
export function differenceLines(differences: readonly ItemDifference[]): string[] {
  const counts = (['added', 'removed', 'changed'] as const).map(
    (what) => `${differences.filter((one) => one.what === what).length} ${what}`,
  );
  const lines = differences.flatMap((one) => [itemLine(one), ...one.fields.flatMap(fieldLines)]);
  return [...lines, `${pluralize(differences.length, 'difference')}: ${counts.join(', ')}`];
}

function itemLine({ what, model, id, otherId, title, slug }: ItemDifference): string {
  const [style, sign] = SIGNS[what];
  const ids = otherId === undefined ? id : `${id} → ${otherId}`;
  const name = `${printable(JSON.stringify(title), 80)}${slug ? ` (${printable(slug, 80)})` : ''}`;
  return `${styled(style, sign)} ${printable(model)} ${ids} ${name}`;
}

function fieldLines({ lang, state, field, before, after }: FieldDifference): string[] {
  const place = `${lang}${state === 'draft' ? ' draft' : ''}`;
  if (field === undefined) {
    return [`    ${place}: ${before === undefined ? 'added' : 'removed'}`];
  }
  const [from, to] = aroundDifference(show(before), show(after));
  return [
    `    ${printable(field)} (${place})`,
    styled('red', `      - ${printable(from)}`),
    styled('green', `      + ${printable(to)}`),
  ];
}

function show(value: unknown): string {
  if (value === undefined) return '(empty)';
  const shown = withLabels(value);
  return typeof shown === 'string' ? shown : JSON.stringify(shown);
}

/** References and media in one string each. */
function withLabels(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLabels);
  if (typeof value !== 'object' || value === null) return value;
  const { reference, title, slug, media, alt } = value as { [key: string]: unknown };
  if (reference !== undefined)
    return title === undefined ? `#${reference}` : `${title}${slug ? ` (${slug})` : ''}`;
  if (media !== undefined) return alt ? `${media} “${alt}”` : media;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withLabels(inner)]));
}

const WIDTH = 100;
const CONTEXT = 30;

/** The parts of two strings around the first character that differs. */
function aroundDifference(before: string, after: string): [string, string] {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = Math.max(0, same - CONTEXT);
  const cut = (text: string) => {
    const end = start + WIDTH;
    return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`;
  };
  return [cut(before), cut(after)];
}
