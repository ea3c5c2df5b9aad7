import { PARENT_SPACE } from '../../contract/luid.ts';
import { WRITE_FORMATS, type WriteFormat } from '../../contract/parameters.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import type { Assumptions } from '../assumptions.ts';
import { mergeValues } from '../fields/group-values.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import { type Parameters, parseSpace } from '../read/parse-query.ts';
import { type Item, isVisible, type LanguageData } from '../state/item.ts';
import { getOwn } from '../state/own-property.ts';
import type { SeedFields } from '../state/seed-types.ts';
import { parseValues, type ValueContext } from './parse-values.ts';
import { copyAsDraft, createItem, withDraft, withoutLanguage, withPublished } from './transitions.ts';

/** A request that writes content, not yet validated. */
export interface WriteRequest extends Omit<ValueContext, 'flexibleText'> {
  /** The id in the path; empty if it has none. */
  readonly id: string;
  readonly assumptions: Assumptions;
  readonly parameters: Parameters;
  readonly body: Readonly<Record<string, unknown>>;
  /** The current time, in the resolution of stored times. */
  readonly now: number;
  /** Returns a new id, to be called once the request is known to be valid. */
  readonly allocateId: () => number;
}

/** §4.3: POST /contents. */
export function createContent(request: WriteRequest): Item {
  const { state, parameters, now, allocateId } = request;
  const { model, fields } = parseModel(request);
  const published = parseBoolean(parameters.get('published'));
  const space = parseTargetSpace(request);
  const written = parseLanguages(request, fields, request.assumptions.writeFlexibleText);
  const data = { [state.languages.main]: {}, ...toLanguageData(written) };
  const item = createItem({ id: 0, model, space }, now);
  const created = published ? withPublished(item, data, undefined, now) : { ...item, draft: data };
  return { ...created, id: allocateId() };
}

/** §4.4: PUT /contents/{content_id}. Fields and languages that are not in the request are removed. */
export function replaceContent(request: WriteRequest): Item {
  const item = findTarget(request);
  const { fields } = parseModel(request, item);
  const data = toLanguageData(parseLanguages(request, fields, request.assumptions.writeFlexibleText));
  const published = parseBoolean(request.parameters.get('published'));
  if (published) return withPublished(item, data, undefined, request.now);
  return withNewDraft(item, data, request);
}

/** §4.5: PATCH /contents/{content_id}. */
export function patchContent(request: WriteRequest): Item {
  const target = findTarget(request);
  const { fields } = parseModel(request, target);
  const published = parseBoolean(request.parameters.get('published'));
  const written = parseLanguages(request, fields, request.assumptions.patchFlexibleText);
  // When an item is published for the first time, each language starts as its draft, which is then removed.
  const isFirst = published && !target.published;
  let { draft } = target;
  const data: Record<string, LanguageData[string]> = { ...(published ? target.published : target.draft) };
  for (const { lang, raw, values } of written) {
    const current = getOwn(target.published, lang);
    const base = published && !isFirst ? current : (getOwn(target.draft, lang) ?? current);
    data[lang] = mergeValues(base, raw, values);
    if (isFirst) draft = withoutLanguage(draft, lang);
  }
  if (published) return withPublished(target, data, draft, request.now);
  return withNewDraft(target, data, request);
}

/** §4.6: POST /contents/{content_id}/duplicate. Copies draft data, else published data, of each language. */
export function duplicateContent(request: WriteRequest): Item {
  const source = findTarget(request);
  if (!isVisible(source, { reads: request.key.reads, spaces: undefined })) throw notFound();
  return copyAsDraft(source, request.allocateId(), request.now);
}

/** The item that a request is about. It must exist, not be archived, and be in the space of the request. */
export function findTarget(request: WriteRequest): Item {
  if (!/^[1-9]\d*$/.test(request.id)) throw badRequest();
  const space = parseTargetSpace(request);
  const item = request.state.findForAnyKey(Number(request.id));
  if (!item || item.space !== space) throw notFound();
  return item;
}

/** §4.3: `ft_format`. */
export function parseWriteFormat(format: string = WRITE_FORMATS[0]): WriteFormat {
  if (!(WRITE_FORMATS as readonly string[]).includes(format)) throw badRequest();
  return format as WriteFormat;
}

function parseTargetSpace({ parameters, key, state }: WriteRequest): string {
  return parseSpace(parameters.get('space') ?? PARENT_SPACE, key, state) as string;
}

function parseModel({ parameters, state }: WriteRequest, item?: Item): { model: string; fields: FieldsBase } {
  const model = parameters.get('model') ?? '';
  const fields = state.fields(model);
  if (!fields || (item && item.model !== model)) throw badRequest();
  return { model, fields };
}

function parseBoolean(text = 'false'): boolean {
  if (text !== 'true' && text !== 'false') throw badRequest();
  return text === 'true';
}

interface WrittenLanguage {
  readonly lang: string;
  readonly raw: SeedFields;
  readonly values: LanguageData[string];
}

/** Parses `fields` and every `fields[xx]` of a body. */
function parseLanguages(
  request: WriteRequest,
  fields: FieldsBase,
  flexibleText: ValueContext['flexibleText'],
): WrittenLanguage[] {
  const { main, sub } = request.state.languages;
  const written = new Map<string, WrittenLanguage>();
  for (const [name, raw] of Object.entries(request.body)) {
    const lang = name === 'fields' ? main : (/^fields\[(.*)\]$/s.exec(name)?.[1] ?? '');
    if ((lang !== main && !sub.includes(lang)) || written.has(lang)) throw badRequest();
    const values = parseValues(fields, raw, { ...request, flexibleText });
    written.set(lang, { lang, raw: raw as SeedFields, values });
  }
  if (written.size === 0) throw badRequest();
  return [...written.values()];
}

function toLanguageData(written: readonly WrittenLanguage[]): LanguageData {
  return Object.fromEntries(written.map(({ lang, values }) => [lang, values]));
}

function withNewDraft(item: Item, draft: LanguageData, { now, assumptions }: WriteRequest): Item {
  return withDraft(item, draft, now, assumptions.draftTouchesUpdatedAt);
}
