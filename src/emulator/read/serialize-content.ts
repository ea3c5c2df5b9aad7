import { SYSTEM_PROPERTIES, type WireMedia } from '../../contract/content.ts';
import { INCLUDES } from '../../contract/parameters.ts';
import { type FieldsBase, isEmpty } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { setOwn } from '../../models/walk.ts';
import type { Formats, Projection, Scope, Selection, Values } from '../fields/field-behaviour.ts';
import { entriesOf } from '../fields/group-values.ts';
import { formatInstant } from '../fields/instants.ts';
import { dataInView, type Item, languageInView } from '../state/item.ts';
import { getOwn } from '../state/own-property.ts';
import { type Media, mediaFileName } from '../state/state.ts';
import type { QueryContext } from './compile-filter.ts';
import { getSystemProperty, isSystemTime } from './system-properties.ts';

/** What the content objects of one response depend on. */
export interface SerializeContext extends QueryContext {
  readonly assetsUrl: string;
}

/** A field with one of these names is not returned: the system property takes precedence. */
const RESERVED: ReadonlySet<string> = new Set([...SYSTEM_PROPERTIES, ...INCLUDES]);
const EVERYTHING: Projection = { select: undefined, formats: undefined };

/** A content object (§2.1); `undefined` if the item has no data in this view. */
export function serializeContent(
  item: Item,
  depth: number,
  projection: Projection,
  context: SerializeContext,
): Record<string, unknown> | undefined {
  const values = dataInView(item, context.view);
  const fields = context.state.fields(item.model);
  if (!values || !fields) return undefined;
  const object: Record<string, unknown> = {};
  for (const property of SYSTEM_PROPERTIES) {
    if (projection.select && projection.select.get(property) !== 'all') continue;
    if (property === '_space' && !context.state.spaces) continue;
    const value = getSystemProperty(property).value(item, context.view, context.state);
    object[property] = isSystemTime(property) && value !== null ? formatInstant(value as number) : value;
  }
  addFields(object, fields, values, createScope(item, depth, context), projection, RESERVED);
  return object;
}

/** How links inside one content object are serialized. */
function createScope(item: Item, depth: number, context: SerializeContext): Scope {
  const scope: Scope = {
    emptyValues: context.assumptions.emptyValues,
    media: (id) => serializeMedia(context.state.media.get(id), languageInView(item, context.view), context),
    html: (html) => html.replaceAll('{assets_url}', context.assetsUrl),
    content: (id, projection) => serializeReference(id, depth, projection, context),
    group: (fields, values, projection) => {
      const object: Record<string, unknown> = {};
      addFields(object, fields, values, scope, projection, undefined);
      return object;
    },
  };
  return scope;
}

/** Adds all selected fields, empty ones in the form of `emptyValues`. */
function addFields(
  object: Record<string, unknown>,
  fields: FieldsBase,
  values: Values,
  scope: Scope,
  { select, formats }: Projection,
  reserved: ReadonlySet<string> | undefined,
): void {
  for (const { luid, field, behaviour } of entriesOf(fields)) {
    if (reserved?.has(luid)) continue;
    const selected = select ? select.get(luid) : 'all';
    if (selected === undefined || (selected !== 'all' && !behaviour.selectable)) continue;
    const value = getOwn(values, luid);
    const projection = narrow(selected, formats?.below.get(luid));
    const shown =
      value === undefined ? fieldTypeOf(field).empty() : behaviour.serialize(field, value, scope, projection);
    if (scope.emptyValues === 'typed' || !isEmpty(shown)) setOwn(object, luid, shown);
    else if (scope.emptyValues === 'null') setOwn(object, luid, null);
  }
}

function narrow(selected: Selection | 'all', formats: Formats | undefined): Projection {
  if (selected === 'all') return formats ? { select: undefined, formats } : EVERYTHING;
  return { select: selected, formats };
}

/** §2.2: content while depth remains, then an id; empty if the target does not exist or is not visible. */
function serializeReference(
  id: number,
  depth: number,
  projection: Projection,
  context: SerializeContext,
): unknown {
  const { state, view, assumptions } = context;
  const target = state.findVisible(id, view);
  if (!target) return assumptions.unseenTarget === 'id' && state.findForAnyKey(id) ? id : null;
  if (depth === 0) return id;
  return serializeContent(target, depth - 1, projection, context) ?? null;
}

/** §1, §2.2: empty if the media is archived. The alt text is in the language of the content. */
function serializeMedia(
  media: Media | undefined,
  lang: string | undefined,
  context: SerializeContext,
): WireMedia | null {
  if (!media || media.archived) return null;
  const { view, assetsUrl } = context;
  const alt = getOwn(media.alt, lang ?? view.main) ?? getOwn(media.alt, view.main) ?? '';
  return { url: `${assetsUrl}/${media.id}/${encodeURIComponent(mediaFileName(media))}`, alt };
}
