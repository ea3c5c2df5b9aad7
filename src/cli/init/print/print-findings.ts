import { printable } from '../../../shared/printable.ts';
import type { Evidence, Inferred } from '../../infer/infer.ts';
import { logInfo, logWarning, styled, table } from '../../shared/output.ts';
import type { Survey } from '../../survey/survey.ts';
import type { ManualChange, PlannedFile } from '../plan/planned-file.ts';
import type { Collection } from '../space-file/collections.ts';
import type { Difference } from '../space-file/space-update.ts';
import { diffLines } from './line-diff.ts';

/** Prints what was inspected, what was found and what is uncertain. */
export function printSurvey(
  { discovery, models, languages, notInspected }: Survey,
  { evidence }: Inferred,
  spaceFile: string,
): void {
  const { total, inspected, spaces, hasDrafts } = discovery;
  const rows = models.map(({ name, total: items, inspected: seen }) => {
    const fields = [...evidence].filter(([place]) => place.startsWith(`${name}.`));
    return [name, items, seen, fields.length, fields.filter(isUncertain).length];
  });
  logInfo(table([['model', 'items', 'inspected', 'fields', 'uncertain'], ...rows], process.stderr));
  const known = languages && [languages.main, ...languages.sub];
  if (known && known.length > 1) logInfo(`Languages: ${known.join(', ')} (the first is the main language)`);
  if (spaces.length > 1) logInfo(`Spaces: ${spaces.join(', ')} (--sub-space LUID selects one)`);
  if (inspected < total) {
    logWarning(
      `Only ${inspected} of ${total} items were searched for models: models with few items may be missing.`,
    );
    logInfo('  → Pass all models that you use as --models a,b.');
  }
  if (notInspected) logWarning(notInspected);
  if (hasDrafts) {
    logWarning('This key reads drafts. As LUID_API_KEY it would publish them in every build.');
    logInfo('  → Use a published-only key as LUID_API_KEY, and this one as LUID_DRAFT_API_KEY.');
  }
  for (const { name } of models) printUncertainFields(name, evidence);
  if ([...evidence].some(isUncertain))
    logInfo(`  → Review these in ${spaceFile}: the comments give the reasons.`);
}

const MAX_NAMES = 6;

/** One line per model; the reasons are comments in the space file. */
function printUncertainFields(model: string, evidence: Inferred['evidence']): void {
  const places = [...evidence].filter(([place]) => place.startsWith(`${model}.`)).filter(isUncertain);
  if (places.length === 0) return;
  const names = places.map(([place]) => place.slice(model.length + 1));
  const rest = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  logInfo(`${styled('yellow', 'uncertain')} ${model}: ${names.slice(0, MAX_NAMES).join(', ')}${rest}`);
}

function isUncertain([, { doubt, note }]: [string, Evidence]): boolean {
  return Boolean(doubt || note);
}

/** Prints the proposed entry ids and languages, one line for all collections with the same proposal. */
export function printCollections(collections: readonly Collection[]): void {
  const models = new Map<string, string[]>();
  for (const { model, id, langs } of collections) {
    const ids = id === undefined ? undefined : `entry ids from \`${id}\` (unique, safe in URLs)`;
    const languages = langs && `one entry per language (${langs.join(', ')})`;
    const proposal = [ids, languages].filter((one) => one !== undefined).join(', ');
    if (proposal !== '') models.set(proposal, [...(models.get(proposal) ?? []), model]);
  }
  for (const [proposal, names] of models)
    logInfo(`${styled('cyan', 'proposed')} ${names.join(', ')}: ${proposal}`);
}

/** Prints how a file would change; for a file with a key, only the names of the variables. */
export function printChange({ path, before = '', text, about, secret, update }: PlannedFile): void {
  if (secret) {
    logInfo(`\n${styled('bold', path)}: ${about}`);
    return;
  }
  if (update) {
    logInfo(`\n${styled('bold', path)} compared with the content:`);
    for (const difference of update.differences) logInfo(`  ${formatDifference(difference)}`);
    return;
  }
  logInfo(`\n${styled('bold', path)}`);
  for (const line of diffLines(before, text)) {
    if (line === 'gap') logInfo(styled('dim', '  …'));
    else logInfo(`  ${COLOURED[line.sign](`${line.sign} ${printable(line.text.replaceAll('\t', '  '))}`)}`);
  }
}

function formatDifference({ kind, place, declared = '', found = '' }: Difference): string {
  const before = `${place}: declared as ${printable(declared, 60)}`;
  if (kind === 'added') return COLOURED['+'](`+ ${place}: new, ${printable(found, 80)}`);
  if (kind === 'removed') return COLOURED['-'](`- ${before}, but not found in the content`);
  return styled('yellow', `~ ${before}, content shows ${printable(found, 80)}`);
}

const COLOURED = {
  ' ': (text: string) => styled('dim', text),
  '-': (text: string) => styled('red', text),
  '+': (text: string) => styled('green', text),
};

/** Prints lines that the user has to add. */
export function printManualChange({ path, why, lines }: ManualChange): void {
  logWarning(`${styled('bold', path)}: ${why}:\n`);
  for (const line of lines) logInfo(`    ${line}`.trimEnd());
  logInfo('');
}
