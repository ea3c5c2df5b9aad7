import type { Values } from '../../models/field-types/field-type.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { BackupItem, LanguageData, State } from '../backup/backup-item.ts';
import { type Links, withLinks } from '../backup/comparable.ts';
import { mapItemValues } from '../backup/item-values.ts';
import type { Side } from '../backup/side.ts';
import { changedFields, own } from '../diff/compare-sides.ts';
import type { RestoreLinks } from './links.ts';
import type { TargetItem } from './target.ts';
import { isWritable, type Note, type TargetLinks, writeValues } from './write-values.ts';

/** A write to an existing item. */
export interface Step {
  readonly method: 'replace' | 'patch';
  readonly state: State;
  readonly languages: LanguageData;
}

interface StepRequest {
  readonly source: Side;
  readonly item: BackupItem;
  readonly target: Side;
  readonly current: Pick<TargetItem, 'item' | 'undeclared'>;
  readonly links: RestoreLinks;
  readonly toWrite: TargetLinks;
  readonly report: (note: Note) => void;
}

/** The writes that make an item of the target equal to one of an export, as far as the service can write it. */
export function planSteps(request: StepRequest): Step[] {
  const { item, current } = request;
  const published = item.published && planState(request, 'published', current.item.published);
  if (!item.published && current.item.published) note(request, 'published', 'stays published');
  // §4.4: replacing published data drops the draft.
  const drafts = published?.method === 'replace' ? undefined : current.item.draft;
  const draft = item.draft && planState(request, 'draft', drafts);
  if (!item.draft && drafts) note(request, 'draft', 'its draft stays');
  return [published, draft].filter((step) => step !== undefined);
}

function note({ item, report }: StepRequest, state: State, reason: string): void {
  report({ id: item.id, lang: '', state, path: '', reason });
}

function planState(request: StepRequest, state: State, existing: LanguageData | undefined): Step | undefined {
  const data = request.item[state] ?? {};
  const changed = Object.entries(data).map(([lang, values]) => {
    const base = existing?.[lang] ?? baseOf(request, state, lang);
    return { lang, values, base, fields: fieldsToWrite(request, state, lang, values, base) };
  });
  const isNew =
    existing === undefined || (state === 'published' && changed.some(({ lang }) => !existing[lang]));
  if (!isNew && changed.every(({ fields }) => fields.length === 0)) return undefined;

  const hasRichText = changed.some(({ values, fields }) =>
    fields.some((field) => contains(request, values, field, 'rich')),
  );
  const obstacle = hasRichText ? obstacleToReplace(request, state, existing) : undefined;
  const reportFor = (lang: string, fields: readonly string[]) => (path: string, reason: string) => {
    if (fields.includes(path.split(/[.[]/)[0] ?? ''))
      request.report({ id: request.item.id, lang, state, path, reason });
  };
  if (hasRichText && obstacle === undefined) {
    const languages = changed.map(({ lang, values, fields }) => {
      const { item, source, toWrite } = request;
      return [
        lang,
        writeValues(source, item.model, values, toWrite, reportFor(lang, fields)).values,
      ] as const;
    });
    return { method: 'replace', state, languages: Object.fromEntries(languages) };
  }
  const languages = changed.flatMap(({ lang, values, fields }) => {
    const patchable = fields.filter((field) => {
      if (!contains(request, values, field, 'rich')) return true;
      const reason = `the service accepts no flexible text in a PATCH, and ${obstacle}`;
      request.report({ id: request.item.id, lang, state, path: field, reason });
      return false;
    });
    const patch = patchOf(request, values, patchable, reportFor(lang, patchable));
    return Object.keys(patch).length > 0 || (isNew && !existing?.[lang]) ? [[lang, patch] as const] : [];
  });
  return languages.length === 0
    ? undefined
    : { method: 'patch', state, languages: Object.fromEntries(languages) };
}

/** What a language that is new in a state starts as. */
function baseOf({ item, current }: StepRequest, state: State, lang: string): Values {
  if (state === 'published') return current.item.draft?.[lang] ?? {};
  return (item.published ?? current.item.published)?.[lang] ?? {};
}

/** The fields that differ in what the service can write; others that differ are reported. */
function fieldsToWrite(
  request: StepRequest,
  state: State,
  lang: string,
  values: Values,
  base: Values,
): readonly string[] {
  const { source, target, item, current, links, report } = request;
  // Of a draft without data of its own, the base is that of the export.
  const isOwn = state === 'draft' && base === item.published?.[lang];
  const compare = (kind: Links, other?: Parameters<typeof withLinks>[5]) =>
    changedFields(
      isOwn
        ? withLinks(source, item, lang, base, kind, other)
        : withLinks(target, current.item, lang, base, kind, other),
      withLinks(source, item, lang, values, kind, other),
    );
  const writable = compare(links.writable, (value, field) => (isWritable(field) ? value : undefined));
  const reportField = (path: string, reason: string) => report({ id: item.id, lang, state, path, reason });
  for (const field of compare(links.comparable)) {
    if (!writable.includes(field)) reportField(field, 'differs in what the service cannot write');
  }
  return writable.filter((field) => {
    if (isOwn || !contains(request, base, field, 'unwritable')) return true;
    reportField(field, 'writing it would lose values that the service cannot write');
    return false;
  });
}

/** Fields for a PATCH (§4.5), `null` for those that become empty. */
function patchOf(
  { source, item, toWrite }: StepRequest,
  values: Values,
  fields: readonly string[],
  report: (path: string, reason: string) => void,
): Values {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const value = own(values, field);
    if (value === undefined) return [[field, null]];
    const { values: written } = writeValues(source, item.model, { [field]: value }, toWrite, report);
    const result = own(written, field);
    // A link that cannot be written leaves the one that is there.
    return result === undefined ? [] : [[field, result]];
  });
  return Object.fromEntries(entries);
}

/** Why replacing an item would lose something; `undefined` if it would not. */
function obstacleToReplace(
  request: StepRequest,
  state: State,
  existing: LanguageData | undefined,
): string | undefined {
  const { item, current } = request;
  const lost = 'replacing the item would lose';
  if (current.undeclared.length > 0) return `${lost} fields that the models do not declare`;
  const data = [...Object.values(current.item.published ?? {}), ...Object.values(current.item.draft ?? {})];
  if (
    data.some((values) => Object.keys(values).some((field) => contains(request, values, field, 'unwritable')))
  ) {
    return `${lost} values that the service cannot write`;
  }
  if (Object.keys(existing ?? {}).some((lang) => !item[state]?.[lang])) return `${lost} a language`;
  return state === 'published' && current.item.draft && !item.draft ? `${lost} its draft` : undefined;
}

/** Whether the value of a field, or of one inside it, is a flexible text, or of a type that the service cannot write. */
function contains({ source, item }: StepRequest, values: Values, luid: string, kind: 'rich' | 'unwritable') {
  let found = false;
  const value = own(values, luid);
  mapItemValues(fieldsOf(source.models, item.model), value === undefined ? {} : { [luid]: value }, {
    reference: (id) => id,
    media: (id) => id,
    richText: (html) => {
      if (kind === 'rich') found = true;
      return html;
    },
    other: (inner, field) => {
      if (kind === 'unwritable' && !isWritable(field)) found = true;
      return inner;
    },
    undeclared: () => {},
  });
  return found;
}
