import type { Inferred } from '../infer/infer.ts';
import type { Survey } from '../survey/survey.ts';
import { note, styled, table, warn } from '../talk.ts';
import { diffLines } from './diff.ts';
import type { PlannedFile } from './plan.ts';
import { evidenceText } from './space-file.ts';

/** Says what was looked at, what was found, and all that is not certain. */
export function reportSurvey({ discovery, models, languages }: Survey, { evidence }: Inferred): void {
  const { total, looked, spaces, sawDraft } = discovery;
  const rows = models.map(({ name, total: items, looked: seen }) => {
    const own = [...evidence].filter(([place]) => place.startsWith(`${name}.`));
    return [name, items, seen, own.length, own.filter(([, { doubt }]) => doubt).length];
  });
  note(table([['model', 'items', 'looked at', 'fields', 'uncertain'], ...rows]));
  const known = languages && [languages.main, ...languages.sub];
  if (known && known.length > 1) note(`Languages: ${known.join(', ')}, the first being the main one.`);
  if (spaces.length > 1) note(`Spaces: ${spaces.join(', ')}; --sub-space LUID is for one of them alone.`);
  if (looked < total) {
    warn(`Models were looked for in ${looked} of ${total} items: those with few items may be missing.`);
    note('  → Name all that you use by --models a,b.');
  }
  if (sawDraft) {
    warn('This key reads drafts, and as LUID_API_KEY it would bring them into every build.');
    note('  → Put a key for published content there, and this one into LUID_DRAFT_API_KEY.');
  }
  const doubts = [...evidence].filter(([, { doubt, note: said }]) => doubt || said);
  if (doubts.length === 0) return;
  note(`\n${styled('bold', 'Look at these fields:')} the content does not show clearly what they are.`);
  for (const [place, found] of doubts) note(`  ${place}  ${styled('dim', evidenceText(found))}`);
}

/** Shows what would change in a file; of one that holds a key, only which lines. */
export function showDifference({ path, before = '', text, about, secret }: PlannedFile): void {
  if (secret) {
    note(`\n${styled('bold', path)}: ${about}`);
    return;
  }
  note(`\n${styled('bold', path)}`);
  for (const line of diffLines(before, text)) {
    if (line === 'gap') note(styled('dim', '  …'));
    else note(`  ${COLOURED[line.sign](`${line.sign} ${line.text}`)}`);
  }
}

const COLOURED = {
  ' ': (text: string) => styled('dim', text),
  '-': (text: string) => styled('red', text),
  '+': (text: string) => styled('green', text),
};
