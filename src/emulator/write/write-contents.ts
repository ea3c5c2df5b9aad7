import { PARENT_SPACE } from '../../contract/luid.ts';
import { WRITE_FORMATS, type WriteFormat } from '../../contract/parameters.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { Assumptions } from '../assumptions.ts';
import { mergeValues } from '../fields/group-values.ts';
import { badRequest, notFound } from '../http/refusal.ts';
import { type Parameters, parseSpace } from '../read/query.ts';
import type { Change } from '../state/change.ts';
import { type Item, isVisible, type LangData } from '../state/item.ts';
import { own } from '../state/own.ts';
import type { SeedFields, SeedKey } from '../state/seed.ts';
import type { State } from '../state/state.ts';
import { withDraft, withoutLanguage, withPublished } from './transitions.ts';
import { type Judging, takeWritten } from './written-values.ts';

/** A request that writes content, before anything of it is known to be right. */
export interface Writing {
  readonly state: State;
  readonly key: SeedKey;
  readonly assumptions: Assumptions;
  readonly parameters: Parameters;
  readonly body: Readonly<Record<string, unknown>>;
  readonly html: Judging['html'];
  readonly time: Judging['time'];
  /** The time that is stored for what happens now. */
  readonly now: number;
}

/** §4.3: POST /contents. `id` is the one to give, once all is known to be right. */
export function createContent(writing: Writing, id: () => number): Change {
  const { state, parameters, now } = writing;
  const { model, fields } = modelOf(writing);
  const published = flag(parameters.get('published'));
  const space = spaceOf(writing);
  const written = languagesOf(writing, fields, writing.assumptions.writeFlexibleText);
  const data = { [state.languages.main]: {}, ...dataOf(written) };
  const item = blank({ id: 0, model, space, now });
  const done = published ? withPublished(item, data, undefined, now) : { ...item, draft: data };
  return { item: { ...done, id: id() } };
}

/** §4.4: PUT /contents/{content_id}. What is not given is not there afterwards. */
export function replaceContent(id: string, writing: Writing): Change {
  const item = targetOf(id, writing);
  const { fields } = modelOf(writing, item);
  const data = dataOf(languagesOf(writing, fields, writing.assumptions.writeFlexibleText));
  const published = flag(writing.parameters.get('published'));
  return {
    item: published ? withPublished(item, data, undefined, writing.now) : drafted(item, data, writing),
  };
}

/** §4.5: PATCH /contents/{content_id}. */
export function patchContent(id: string, writing: Writing): Change {
  const target = targetOf(id, writing);
  const { fields } = modelOf(writing, target);
  const published = flag(writing.parameters.get('published'));
  const written = languagesOf(writing, fields, writing.assumptions.patchFlexibleText);
  // Published for the first time, a language starts as its draft, which is none any longer.
  const first = published && !target.published;
  let { draft } = target;
  const data: Record<string, LangData[string]> = { ...(published ? target.published : target.draft) };
  for (const { lang, given, taken } of written) {
    const kept = own(target.published, lang);
    const base = published && !first ? kept : (own(target.draft, lang) ?? kept);
    data[lang] = mergeValues(base, given, taken);
    if (first) draft = withoutLanguage(draft, lang);
  }
  return {
    item: published ? withPublished(target, data, draft, writing.now) : drafted(target, data, writing),
  };
}

/** §4.6: POST /contents/{content_id}/duplicate. Draft data goes before published data. */
export function duplicateContent(id: string, writing: Writing, copyId: () => number): Change {
  const source = targetOf(id, writing);
  if (!isVisible(source, { reads: writing.key.reads, spaces: undefined })) throw notFound();
  const { model, space, published, draft } = source;
  const copy = blank({ id: copyId(), model, space, now: writing.now });
  return { item: { ...copy, draft: { ...published, ...draft } } };
}

/** The item that a request is about: there, not archived, and in the space that is named. */
export function targetOf(id: string, writing: Writing): Item {
  if (!/^[1-9]\d*$/.test(id)) throw badRequest();
  const space = spaceOf(writing);
  const item = writing.state.hidden(Number(id));
  if (!item || item.space !== space) throw notFound();
  return item;
}

/** §4.3: `ft_format`. */
export function parseWriteFormat(format: string = WRITE_FORMATS[0]): WriteFormat {
  if (!(WRITE_FORMATS as readonly string[]).includes(format)) throw badRequest();
  return format as WriteFormat;
}

function spaceOf({ parameters, key, state }: Writing): string {
  return parseSpace(parameters.get('space') ?? PARENT_SPACE, key, state) as string;
}

function modelOf({ parameters, state }: Writing, item?: Item): { model: string; fields: FieldsBase } {
  const model = parameters.get('model') ?? '';
  const fields = state.fields(model);
  if (!fields || (item && item.model !== model)) throw badRequest();
  return { model, fields };
}

function flag(text = 'false'): boolean {
  if (text !== 'true' && text !== 'false') throw badRequest();
  return text === 'true';
}

interface WrittenLanguage {
  readonly lang: string;
  readonly given: SeedFields;
  readonly taken: LangData[string];
}

/** `fields` and every `fields[xx]` of a body, checked. */
function languagesOf(
  { body, state, key, html, time }: Writing,
  fields: FieldsBase,
  flexibleText: Judging['flexibleText'],
): WrittenLanguage[] {
  const { main, sub } = state.languages;
  const written = new Map<string, WrittenLanguage>();
  for (const [name, given] of Object.entries(body)) {
    const lang = name === 'fields' ? main : (/^fields\[(.*)\]$/s.exec(name)?.[1] ?? '');
    if ((lang !== main && !sub.includes(lang)) || written.has(lang)) throw badRequest();
    const taken = takeWritten(fields, given, { state, key, flexibleText, html, time });
    written.set(lang, { lang, given: given as SeedFields, taken });
  }
  if (written.size === 0) throw badRequest();
  return [...written.values()];
}

function dataOf(written: readonly WrittenLanguage[]): LangData {
  return Object.fromEntries(written.map(({ lang, taken }) => [lang, taken]));
}

function drafted(item: Item, draft: LangData, { now, assumptions }: Writing): Item {
  return withDraft(item, draft, now, assumptions.draftTouchesUpdatedAt);
}

function blank({ id, model, space, now }: { id: number; model: string; space: string; now: number }): Item {
  return {
    id,
    model,
    space,
    archived: false,
    createdAt: now,
    updatedAt: now,
    publishedAt: null,
    lastPublishedAt: null,
    published: undefined,
    draft: undefined,
    settledAt: undefined,
  };
}
