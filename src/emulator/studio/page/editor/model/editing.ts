import type { FieldProblem, StudioField, StudioItem } from '../../../studio-types.ts';
import { keepProblems } from './paths.ts';
import { findChanges, getOwn, isSameValue, type Values } from './values.ts';

/** An item while somebody edits it. Every function returns a new state. */
export interface Editing {
  readonly fields: readonly StudioField[];
  /** The item that the changes are made to. */
  readonly item: StudioItem;
  /** The values of the languages with unsaved changes. */
  readonly edits: { readonly [lang: string]: Values };
  /** The item as it is now, if it was changed elsewhere and there are unsaved changes. */
  readonly latest: StudioItem | undefined;
  /** Fields that were changed here and elsewhere, after the other changes were taken: a save overwrites them. */
  readonly contested: readonly FieldInLanguage[];
  readonly problems: readonly LanguageProblems[];
}

export interface FieldInLanguage {
  readonly lang: string;
  readonly luid: string;
}

export interface LanguageProblems {
  readonly lang: string;
  readonly problems: readonly FieldProblem[];
}

/** A field that differs in two states of an item. */
export interface Difference {
  readonly lang: string;
  readonly field: StudioField;
  readonly before: unknown;
  readonly after: unknown;
  /** Whether it has unsaved changes here. */
  readonly isEdited: boolean;
}

/** A field that a save would overwrite. */
export interface Overwrite {
  readonly lang: string;
  readonly field: StudioField;
  readonly theirs: unknown;
  readonly mine: unknown;
}

export function startEditing(fields: readonly StudioField[], item: StudioItem): Editing {
  return { fields, item, edits: {}, latest: undefined, contested: [], problems: [] };
}

/** The values that an editor works on: the draft, else the published data; `undefined` without data in the language. */
export function savedValues(item: StudioItem, lang: string): Values | undefined {
  return getOwn(item.draft, lang) ?? getOwn(item.published, lang);
}

/** The values to show. */
export function currentValues({ item, edits }: Editing, lang: string): Values | undefined {
  return getOwn(edits, lang) ?? savedValues(item, lang);
}

export function hasUnsavedChanges({ edits }: Editing): boolean {
  return Object.keys(edits).length > 0;
}

/** The fields with unsaved changes in a language. */
function editedFields({ fields, item, edits }: Editing, lang: string): StudioField[] {
  const mine = getOwn(edits, lang);
  return mine ? findChanges(fields, savedValues(item, lang), mine) : [];
}

export function setValue(state: Editing, lang: string, luid: string, value: unknown): Editing {
  const before = currentValues(state, lang) ?? {};
  const after = { ...before, [luid]: value };
  const problems = state.problems.map((entry) =>
    entry.lang === lang ? { lang, problems: keepProblems(entry.problems, before, after) } : entry,
  );
  return { ...setEdit(state, lang, after), problems };
}

/** Starts a language without data, empty or with the values of another one. */
export function addLanguage(state: Editing, lang: string, values: Values): Editing {
  return { ...state, edits: { ...state.edits, [lang]: values } };
}

/** Reverts the unsaved changes, of one language or of all. */
export function revert(state: Editing, lang?: string): Editing {
  const edits = lang === undefined ? {} : without(state.edits, lang);
  const reverted: Editing = {
    ...state,
    edits,
    contested: state.contested.filter((field) => Object.hasOwn(edits, field.lang)),
    problems: state.problems.filter((entry) => Object.hasOwn(edits, entry.lang)),
  };
  return reverted.latest && !hasUnsavedChanges(reverted)
    ? startEditing(state.fields, reverted.latest)
    : reverted;
}

/** The item was loaded again. Unsaved changes stay as they are; without any, the new values are shown. */
export function receive(state: Editing, item: StudioItem): Editing {
  if (item.version === state.item.version) {
    const { linkedContents, linkedMedia } = item;
    return { ...state, item: { ...state.item, linkedContents, linkedMedia }, latest: undefined };
  }
  return hasUnsavedChanges(state) ? { ...state, latest: item } : startEditing(state.fields, item);
}

/** Merges the changes made elsewhere: fields without unsaved changes take the new values. */
export function takeLatest(state: Editing): Editing {
  const { latest } = state;
  if (!latest) return state;
  const contested = [...state.contested, ...findOverwrites(state, latest).map(toFieldInLanguage)];
  return { ...rebase(state, latest, (lang) => savedValues(state.item, lang)), contested, latest: undefined };
}

/** After one language was saved: what was typed since it was sent stays unsaved. */
export function afterSave(state: Editing, item: StudioItem, lang: string, sent: Values): Editing {
  const rebased = rebase(state, item, (other) => (other === lang ? sent : savedValues(state.item, other)));
  return {
    ...rebased,
    latest: undefined,
    contested: state.contested.filter((field) => field.lang !== lang),
    problems: state.problems.filter((entry) => entry.lang !== lang),
  };
}

/** After another action: the unsaved changes stay. */
export function afterAction(state: Editing, item: StudioItem): Editing {
  return { ...rebase(state, item, (lang) => savedValues(state.item, lang)), latest: undefined };
}

/** The unsaved changes since `baseOf`, made to another state of the item. */
function rebase(state: Editing, item: StudioItem, baseOf: (lang: string) => Values | undefined): Editing {
  let rebased: Editing = { ...state, item, edits: {} };
  for (const [lang, mine] of Object.entries(state.edits)) {
    const merged = mergeValues(state.fields, baseOf(lang), mine, savedValues(item, lang));
    rebased = setEdit(rebased, lang, merged);
  }
  return rebased;
}

/** Three-way merge by field: what differs between `base` and `mine` stays, everything else is theirs. */
function mergeValues(
  fields: readonly StudioField[],
  base: Values | undefined,
  mine: Values,
  theirs: Values | undefined,
): Values {
  const kept = findChanges(fields, base, mine).map(({ luid }) => [luid, getOwn(mine, luid)]);
  return { ...theirs, ...Object.fromEntries(kept) };
}

/** What was changed elsewhere. */
export function findDifferences(state: Editing, other: StudioItem): Difference[] {
  const { fields, item } = state;
  return languagesOf(item, other).flatMap((lang) => {
    const before = savedValues(item, lang);
    const after = savedValues(other, lang);
    const edited = new Set(editedFields(state, lang));
    return findChanges(fields, before, after).map((field) => ({
      lang,
      field,
      before: getOwn(before, field.luid),
      after: getOwn(after, field.luid),
      isEdited: edited.has(field),
    }));
  });
}

/** The fields that were changed elsewhere to something else than here. */
export function findOverwrites(state: Editing, other: StudioItem): Overwrite[] {
  return findDifferences(state, other)
    .filter(({ isEdited }) => isEdited)
    .map(({ lang, field, after }) => ({ lang, field, theirs: after, mine: mineOf(state, lang, field) }))
    .filter(({ field, theirs, mine }) => !isSameValue(field, theirs, mine));
}

/** The contested fields that still differ. */
export function contestedOverwrites(state: Editing): Overwrite[] {
  return state.contested.flatMap(({ lang, luid }) => {
    const field = editedFields(state, lang).find((edited) => edited.luid === luid);
    if (!field) return [];
    const theirs = getOwn(savedValues(state.item, lang), luid);
    return [{ lang, field, theirs, mine: mineOf(state, lang, field) }];
  });
}

function mineOf(state: Editing, lang: string, field: StudioField): unknown {
  return getOwn(getOwn(state.edits, lang), field.luid);
}

function toFieldInLanguage({ lang, field }: Overwrite): FieldInLanguage {
  return { lang, luid: field.luid };
}

/** Values that are the same as the saved ones are no edit. */
function setEdit(state: Editing, lang: string, values: Values): Editing {
  const saved = savedValues(state.item, lang);
  const isSame = saved !== undefined && findChanges(state.fields, saved, values).length === 0;
  return { ...state, edits: isSame ? without(state.edits, lang) : { ...state.edits, [lang]: values } };
}

function without<T>(record: { readonly [key: string]: T }, key: string): { readonly [key: string]: T } {
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== key));
}

function languagesOf(...items: readonly StudioItem[]): string[] {
  return [...new Set(items.flatMap(({ published, draft }) => Object.keys({ ...published, ...draft })))];
}
