import { LuidError } from '../../shared/errors.ts';
import type { MatchBy } from '../backup/match-items.ts';
import { defineCommand, type Passed, type Values } from '../shared/command.ts';
import { SPACE_OPTIONS } from '../shared/load-space.ts';
import { flag, oneOf } from '../shared/option-kinds.ts';
import { logInfo, print, printJson } from '../shared/output.ts';
import { compareSides } from './compare-sides.ts';
import { openSides } from './open-sides.ts';
import { differenceLines } from './print-differences.ts';

const OPTIONS = {
  by: oneOf('_id|slug', 'how items are matched (default: _id); slug between different spaces', [
    '_id',
    'slug',
  ]),
  json: flag('print the differences as JSON'),
  ...SPACE_OPTIONS,
};

const NOTES = `A and B are each a folder of luid export, a .env file (the space that it names), or REVISION:FOLDER (the
folder in a revision of git). What only one side was asked for (drafts, models, languages) is not
compared. Media are compared by their files and alternative texts, items without a slug by title.

Exit codes: 0 equal, 1 different, 2 invalid options, or a side cannot be read.

  luid diff backup
  luid diff HEAD~1:backup backup
  luid diff backup .env.staging --by slug --json`;

export const diffCommand = defineCommand(
  {
    name: 'diff',
    about: 'compare exports and spaces, item by item and field by field',
    positionals: [
      { argument: 'A', about: 'before' },
      { argument: 'B', about: 'after (default: the space of the project)', isOptional: true },
    ],
    options: OPTIONS,
    notes: NOTES,
  },
  diff,
);

async function diff(options: Values<typeof OPTIONS> & Passed): Promise<number> {
  try {
    const by: MatchBy = options.by ?? '_id';
    const [a, b] = await openSides(options.positionals, options);
    const differences = await compareSides(a, b, by);
    if (options.json) printJson({ a: a.name, b: b.name, differences });
    else if (differences.length > 0) print(differenceLines(differences).join('\n'));
    if (differences.length === 0) logInfo(`No difference between ${a.name} and ${b.name}`);
    return differences.length === 0 ? 0 : 1;
  } catch (error) {
    if (!LuidError.is(error)) throw error;
    logInfo(`luid diff: ${error.message}`);
    return 2;
  }
}
