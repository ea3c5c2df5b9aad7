import { stripVTControlCharacters } from 'node:util';
import { pluralize } from '../../shared/format-count.ts';
import { logInfo, print, styled, table } from '../shared/output.ts';
import type { Survey } from '../survey/survey.ts';
import type { Mismatch, Problem } from './mismatch-log.ts';

/** What `luid check --json` prints. */
export interface CheckReport {
  /** There is no mismatch. */
  readonly ok: boolean;
  readonly key: {
    /** `published` if no draft was found: a draft key is recognised only by a draft that it can read. */
    readonly reads: 'published' | 'drafts';
    /** Absent if the service has no sub-spaces. */
    readonly spaces?: readonly string[];
    readonly items: number;
  };
  readonly languages: readonly string[];
  readonly models: readonly { readonly name: string; readonly items: number; readonly compared: number }[];
  /** Models that have content but are not declared. */
  readonly undeclared: readonly string[];
  readonly drift: readonly Mismatch[];
}

export function createReport(
  { discovery, models, languages }: Survey,
  declared: readonly string[],
  mismatches: readonly Mismatch[],
  all: boolean,
): CheckReport {
  const { spaces, total, hasDrafts } = discovery;
  return {
    ok: mismatches.length === 0,
    key: {
      reads: hasDrafts ? 'drafts' : 'published',
      ...(spaces.length > 0 && { spaces }),
      items: total,
    },
    languages: languages ? [languages.main, ...languages.sub] : [],
    models: models.map((model) => ({
      name: model.name,
      items: model.total,
      compared: all ? model.total : model.inspected,
    })),
    undeclared: discovery.models.filter((model) => !declared.includes(model)),
    drift: mismatches,
  };
}

const PROBLEMS: Record<Problem, string> = {
  missing: 'missing',
  extra: 'extra',
  type: 'wrong type',
  empty: 'empty',
  option: 'unknown option',
  language: 'wrong language',
};

/** Prints the report for people: a summary on stderr, and the table of mismatches on stdout. */
export function printReport({ key, languages, models, undeclared, drift }: CheckReport): void {
  const access =
    key.reads === 'drafts' ? 'The key reads drafts' : 'The key reads published content (no drafts found)';
  const spaces = key.spaces ? ` in ${key.spaces.join(', ')}` : '';
  logInfo(`${access}: ${pluralize(key.items, 'item')}${spaces}.`);
  if (languages.length > 1) logInfo(`Languages: ${languages.join(', ')}.`);
  const rows = models.map(({ name, items, compared }) => [name, items, compared]);
  logInfo(table([['model', 'items', 'compared'], ...rows], process.stderr));
  if (undeclared.length > 0) logInfo(`Undeclared models: ${undeclared.join(', ')}.`);
  if (drift.length === 0) {
    logInfo(styled('green', 'The declared models match the content.'));
    return;
  }
  const mismatchRows = drift.map((one) => [
    one.model,
    one.field,
    PROBLEMS[one.problem],
    one.message,
    formatIds(one),
  ]);
  logInfo('');
  const mismatches = table([['model', 'field', 'problem', '', 'items'], ...mismatchRows], process.stdout);
  print(process.stdout.isTTY ? mismatches : stripVTControlCharacters(mismatches));
}

const MAX_SHOWN_IDS = 5;

function formatIds({ ids, items }: Mismatch): string {
  const shown = ids.slice(0, MAX_SHOWN_IDS).join(', ');
  return items > MAX_SHOWN_IDS ? `${shown} and ${items - MAX_SHOWN_IDS} more` : shown;
}
