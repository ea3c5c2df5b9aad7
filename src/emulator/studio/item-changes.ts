import { isRecord } from '../../shared/is-record.ts';
import { badRequest, notFound } from '../http/http-error.ts';
import type { Item } from '../state/item.ts';
import { getOwn } from '../state/own-property.ts';
import type { SeedFields } from '../state/seed-types.ts';
import { readJsonObject } from '../write/request-body.ts';
import { findFieldProblems } from './field-problems.ts';
import { describeItem, findItem } from './item-view.ts';
import { type StudioContext, waitUntilSaved } from './studio-context.ts';
import { badRequestBecause, conflict, invalidValues } from './studio-http-error.ts';
import type { StudioRequest } from './studio-request.ts';
import type { ActionResult, ItemAction } from './studio-types.ts';

type Body = Readonly<Record<string, unknown>>;

/** Each action; returns the id of the item to show. */
const ACTIONS: {
  readonly [action in ItemAction]: (item: Item, body: Body, context: StudioContext) => number;
} = {
  draft: (item, body, context) => {
    refuseArchived(item);
    const fields = parseFields(body, item.model, item, context);
    context.emulator.contents.saveDraft(item.id, fields, { lang: parseLanguage(body) });
    return item.id;
  },
  publish: (item, _body, { emulator }) => {
    refuseArchived(item);
    if (!item.draft) throw badRequestBecause(`Content ${item.id} has no draft to publish.`);
    emulator.contents.publish(item.id);
    return item.id;
  },
  unpublish: (item, _body, { emulator }) => {
    refuseArchived(item);
    emulator.contents.unpublish(item.id);
    return item.id;
  },
  archive: ({ id }, _body, { emulator }) => {
    emulator.contents.archive(id);
    return id;
  },
  restore: ({ id }, _body, { emulator }) => {
    emulator.contents.restore(id);
    return id;
  },
  discard: (item, _body, { emulator }) => {
    refuseArchived(item);
    emulator.contents.discardDraft(item.id);
    return item.id;
  },
  duplicate: ({ id }, _body, { emulator }) => emulator.contents.duplicate(id),
  remove: ({ id, archived }, _body, { emulator }) => {
    if (!archived) throw badRequestBecause(`Archive content ${id} before you delete it.`);
    emulator.contents.remove(id);
    return id;
  },
};

/** POST contents/{id}/{action}. Refuses it if the item has another version than the page knows. */
export async function changeItem(
  { request, id, action }: StudioRequest,
  context: StudioContext,
): Promise<ActionResult> {
  const change = getOwn(ACTIONS, action);
  if (!change) throw notFound();
  const body = await readJsonObject(request, context.requestContext().maxBody);
  // There is no `await` until the change is made, so nothing else can change the item in between.
  const before = describeItem(id, context);
  const isOutdated = body.version !== undefined && body.version !== before.version;
  if (isOutdated) throw conflict(before);
  const shown = change(findItem(id, context), body, context);
  const after = action === 'remove' ? before : describeItem(String(shown), context);
  await waitUntilSaved(context);
  return { item: after };
}

/** POST contents: a new draft. The main language exists in every item, as with the write API. */
export async function createItem(request: Request, context: StudioContext): Promise<ActionResult> {
  const { state, maxBody } = context.requestContext();
  const body = await readJsonObject(request, maxBody);
  const { model, space } = body;
  if (typeof model !== 'string' || !state.fields(model)) throw badRequest();
  if (space !== undefined && typeof space !== 'string') throw badRequest();
  const fields = parseFields(body, model, undefined, context);
  const { main } = state.languages;
  const draft = { [main]: {}, [parseLanguage(body) ?? main]: fields };
  const id = context.emulator.contents.create({ model, draft, ...(space !== undefined && { space }) });
  const item = describeItem(String(id), context);
  await waitUntilSaved(context);
  return { item };
}

function refuseArchived({ id, archived }: Item): void {
  if (archived) throw badRequestBecause(`Content ${id} is archived. Restore it before you change it.`);
}

function parseLanguage({ lang }: Body): string | undefined {
  if (lang !== undefined && typeof lang !== 'string') throw badRequest();
  return lang;
}

function parseFields(
  { fields = {} }: Body,
  model: string,
  item: Item | undefined,
  context: StudioContext,
): SeedFields {
  if (!isRecord(fields)) throw badRequest();
  const problems = findFieldProblems(fields, model, item, context);
  if (problems.length > 0) throw invalidValues(problems);
  return fields;
}
