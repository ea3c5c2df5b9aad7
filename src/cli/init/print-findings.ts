import { printable } from '../../printable.ts';
import type { Inferred } from '../infer/infer.ts';
import type { Evidence } from '../infer/verdict.ts';
import { note, styled, table, warn } from '../shared/output.ts';
import type { Survey } from '../survey/survey.ts';
import type { Collection } from './collections.ts';
import { diffLines } from './line-diff.ts';
import type { ManualChange, PlannedFile } from './planned-file.ts';
import type { Difference } from './space-update.ts';

/** What was inspected, what was found, and what is not certain. */
export function reportSurvey(
  { discovery, models, languages }: Survey,
  { evidence }: Inferred,
  spaceFile: string,
): void {
  const { total, looked, spaces, sawDraft } = discovery;
  const rows = models.map(({ name, total: items, looked: seen }) => {
    const own = [...evidence].filter(([place]) => place.startsWith(`${name}.`));
    return [name, items, seen, own.length, own.filter(isUncertain).length];
  });
  note(table([['model', 'items', 'inspected', 'fields', 'uncertain'], ...rows]));
  const known = languages && [languages.main, ...languages.sub];
  if (known && known.length > 1) note(`Languages: ${known.join(', ')} (the first is the main language)`);
  if (spaces.length > 1) note(`Spaces: ${spaces.join(', ')} (--sub-space LUID selects one)`);
  if (looked < total) {
    warn(`Models were searched in ${looked} of ${total} items: those with few items may be missing.`);
    note('  → Name all that you use with --models a,b.');
  }
  if (sawDraft) {
    warn('This key reads drafts. As LUID_API_KEY it would put them into every build.');
    note('  → Use a key for published content there, and this one as LUID_DRAFT_API_KEY.');
  }
  for (const { name } of models) reportUncertain(name, evidence);
  if ([...evidence].some(isUncertain)) note(`  → Review these in ${spaceFile}: the comments say why.`);
}

const MOST_NAMES = 6;

/** One line per model; the reasons are comments in the space file. */
function reportUncertain(model: string, evidence: Inferred['evidence']): void {
  const places = [...evidence].filter(([place]) => place.startsWith(`${model}.`)).filter(isUncertain);
  if (places.length === 0) return;
  const names = places.map(([place]) => place.slice(model.length + 1));
  const rest = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  note(`${styled('yellow', 'uncertain')} ${model}: ${names.slice(0, MOST_NAMES).join(', ')}${rest}`);
}

function isUncertain([, { doubt, note: remark }]: [string, Evidence]): boolean {
  return Boolean(doubt || remark);
}

/** How entries are named, where that is more than a number: one line for all collections that agree. */
export function reportCollections(collections: readonly Collection[]): void {
  const models = new Map<string, string[]>();
  for (const { model, id, langs } of collections) {
    const ids = id === undefined ? undefined : `entry ids from \`${id}\` (unique, safe in URLs)`;
    const languages = langs && `one entry per language (${langs.join(', ')})`;
    const proposal = [ids, languages].filter((one) => one !== undefined).join(', ');
    if (proposal !== '') models.set(proposal, [...(models.get(proposal) ?? []), model]);
  }
  for (const [proposal, names] of models)
    note(`${styled('cyan', 'proposed')} ${names.join(', ')}: ${proposal}`);
}

/** Shows what would change in a file; of one that holds a key, only which lines. */
export function showDifference({ path, before = '', text, about, secret, update }: PlannedFile): void {
  if (secret) {
    note(`\n${styled('bold', path)}: ${about}`);
    return;
  }
  if (update) {
    note(`\n${styled('bold', path)} compared with the content:`);
    for (const difference of update.differences) note(`  ${differenceLine(difference)}`);
    return;
  }
  note(`\n${styled('bold', path)}`);
  for (const line of diffLines(before, text)) {
    if (line === 'gap') note(styled('dim', '  …'));
    else note(`  ${COLOURED[line.sign](`${line.sign} ${printable(line.text.replaceAll('\t', '  '))}`)}`);
  }
}

function differenceLine({ kind, place, declared = '', found = '' }: Difference): string {
  switch (kind) {
    case 'added':
      return COLOURED['+'](`+ ${place}: new, ${printable(found, 80)}`);
    case 'removed':
      return COLOURED['-'](`- ${place}: declared as ${printable(declared, 60)}, but not in the content`);
    case 'changed':
      return styled(
        'yellow',
        `~ ${place}: declared as ${printable(declared, 60)}, content shows ${printable(found, 80)}`,
      );
  }
}

const COLOURED = {
  ' ': (text: string) => styled('dim', text),
  '-': (text: string) => styled('red', text),
  '+': (text: string) => styled('green', text),
};

/** The lines that are left to the user. */
export function showManualChange({ path, why, lines }: ManualChange): void {
  warn(`${styled('bold', path)}: ${why}:\n`);
  for (const line of lines) note(`    ${line}`.trimEnd());
  note('');
}
