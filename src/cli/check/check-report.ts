import { stripVTControlCharacters } from 'node:util';
import { note, print, styled, table } from '../shared/output.ts';
import type { Survey } from '../survey/survey.ts';
import type { Drift, Problem } from './mismatch-log.ts';

/** What `luid check --json` prints. */
export interface Report {
  /** Nothing differs. */
  readonly ok: boolean;
  readonly key: {
    /** As far as was seen: a key for drafts shows itself only where there is a draft. */
    readonly reads: 'published' | 'drafts';
    /** Absent where sub-spaces are not in use. */
    readonly spaces?: readonly string[];
    readonly items: number;
  };
  readonly languages: readonly string[];
  readonly models: readonly { readonly name: string; readonly items: number; readonly compared: number }[];
  /** Models that have content but are not declared. */
  readonly undeclared: readonly string[];
  readonly drift: readonly Drift[];
}

export function reportOf(
  { discovery, models, languages }: Survey,
  declared: readonly string[],
  drift: readonly Drift[],
  all: boolean,
): Report {
  const { spaces, total, sawDraft } = discovery;
  return {
    ok: drift.length === 0,
    key: {
      reads: sawDraft ? 'drafts' : 'published',
      ...(spaces.length > 0 && { spaces }),
      items: total,
    },
    languages: languages ? [languages.main, ...languages.sub] : [],
    models: models.map((model) => ({
      name: model.name,
      items: model.total,
      compared: all ? model.total : model.looked,
    })),
    undeclared: discovery.models.filter((model) => !declared.includes(model)),
    drift,
  };
}

const PROBLEMS: Record<Problem, string> = {
  missing: 'missing',
  extra: 'extra',
  type: 'other type',
  empty: 'empty',
  option: 'unknown option',
  language: 'other language',
};

/** The report for people: who may read what on stderr, and the table of differences on stdout. */
export function showReport({ key, languages, models, undeclared, drift }: Report): void {
  const kind =
    key.reads === 'drafts'
      ? 'The key reads drafts too'
      : 'The key reads published content only, as far as was seen (there was no draft)';
  note(`${kind}: ${key.items} items${key.spaces ? ` in ${key.spaces.join(', ')}` : ''}.`);
  if (languages.length > 1) note(`Languages: ${languages.join(', ')}.`);
  const rows = models.map(({ name, items, compared }) => [name, items, compared]);
  note(table([['model', 'items', 'compared'], ...rows]));
  if (undeclared.length > 0) note(`Not declared: ${undeclared.join(', ')}.`);
  if (drift.length === 0) {
    note(styled('green', 'The map fits the content.'));
    return;
  }
  const lines = drift.map((one) => [one.model, one.field, PROBLEMS[one.problem], one.message, idsOf(one)]);
  note('');
  const differences = table([['model', 'field', 'problem', '', 'items'], ...lines]);
  print(process.stdout.isTTY ? differences : stripVTControlCharacters(differences));
}

function idsOf({ ids, items }: Drift): string {
  const shown = ids.slice(0, 5).join(', ');
  return items > 5 ? `${shown} and ${items - 5} more` : shown;
}
