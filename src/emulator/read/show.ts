import { SYSTEM_PROPERTIES, type WireMedia } from '../../contract/content.ts';
import { INCLUDES } from '../../contract/parameters.ts';
import type { FieldsBase } from '../../models/field-types/field-type.ts';
import { fieldTypeOf } from '../../models/field-types/index.ts';
import { setOwn } from '../../models/walk.ts';
import type { Assumptions } from '../assumptions.ts';
import type { Asked, Formats, Scope, Selection, Values } from '../fields/field-behaviour.ts';
import { entriesOf } from '../fields/group-values.ts';
import { showInstant } from '../fields/instants.ts';
import { type Item, shownData, shownLang, type View } from '../state/item.ts';
import { own } from '../state/own.ts';
import type { Media, State } from '../state/state.ts';
import { isSystemTime, systemProperty } from './system.ts';

/** Everything that decides how content looks in one answer. */
export interface Showing {
  readonly state: State;
  readonly view: View;
  readonly assumptions: Assumptions;
  readonly assetsUrl: string;
}

/** Names that no field is shown under: the system property wins. */
const RESERVED: ReadonlySet<string> = new Set([...SYSTEM_PROPERTIES, ...INCLUDES]);
const EVERYTHING: Asked = { select: undefined, formats: undefined };

/** A content object (§2.1); `undefined` if the item has nothing to show in this view. */
export function showContent(
  item: Item,
  depth: number,
  asked: Asked,
  showing: Showing,
): Record<string, unknown> | undefined {
  const values = shownData(item, showing.view);
  const fields = showing.state.fields(item.model);
  if (!values || !fields) return undefined;
  const shown: Record<string, unknown> = {};
  for (const property of SYSTEM_PROPERTIES) {
    if (asked.select && asked.select.get(property) !== 'all') continue;
    if (property === '_space' && !showing.state.spaces) continue;
    const value = systemProperty(property).value(item, showing.view, showing.state);
    shown[property] = isSystemTime(property) && value !== null ? showInstant(value as number) : value;
  }
  fill(shown, fields, values, scopeOf(item, depth, showing), asked, RESERVED);
  return shown;
}

/** How links look inside one content object. */
function scopeOf(item: Item, depth: number, showing: Showing): Scope {
  const scope: Scope = {
    media: (id) => showMedia(showing.state.media.get(id), shownLang(item, showing.view), showing),
    html: (kept) => kept.replaceAll('{assets_url}', showing.assetsUrl),
    content: (id, asked) => showLink(id, depth, asked, showing),
    group: (fields, values, asked) => {
      const shown: Record<string, unknown> = {};
      fill(shown, fields, values, scope, asked, undefined);
      return shown;
    },
  };
  return scope;
}

/** Every field that is asked for, filled or empty. */
function fill(
  shown: Record<string, unknown>,
  fields: FieldsBase,
  values: Values,
  scope: Scope,
  { select, formats }: Asked,
  reserved: ReadonlySet<string> | undefined,
): void {
  for (const { luid, field, behaviour } of entriesOf(fields)) {
    if (reserved?.has(luid)) continue;
    const wanted = select ? select.get(luid) : 'all';
    if (wanted === undefined || (wanted !== 'all' && !behaviour.selectable)) continue;
    const kept = own(values, luid);
    const asked = narrow(wanted, formats?.below.get(luid));
    setOwn(
      shown,
      luid,
      kept === undefined ? fieldTypeOf(field).empty() : behaviour.render(field, kept, scope, asked),
    );
  }
}

function narrow(wanted: Selection | 'all', formats: Formats | undefined): Asked {
  if (wanted === 'all') return formats ? { select: undefined, formats } : EVERYTHING;
  return { select: wanted, formats };
}

/** §2.2: a reference is content while depth remains, then an id; empty if its target is not there. */
function showLink(id: number, depth: number, asked: Asked, showing: Showing): unknown {
  const { state, view, assumptions } = showing;
  const target = state.find(id, view);
  if (!target) return assumptions.unseenTarget === 'id' && state.hidden(id) ? id : null;
  if (depth === 0) return id;
  return showContent(target, depth - 1, asked, showing) ?? null;
}

/** §1, §2.2: empty if it is archived. The alt text is in the language of the data that shows it. */
function showMedia(media: Media | undefined, lang: string | undefined, showing: Showing): WireMedia | null {
  if (!media || media.archived) return null;
  const { view, assetsUrl } = showing;
  const alt = own(media.alt, lang ?? view.main) ?? own(media.alt, view.main) ?? '';
  return { url: `${assetsUrl}/${media.id}/${encodeURIComponent(fileName(media))}`, alt };
}

export function fileName(media: Media): string {
  return media.file.slice(media.file.lastIndexOf('/') + 1);
}
