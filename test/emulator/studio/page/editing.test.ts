import { describe, expect, it } from 'vitest';
import {
  addLanguage,
  afterSave,
  contestedOverwrites,
  currentValues,
  findOverwrites,
  hasUnsavedChanges,
  receive,
  revert,
  setValue,
  startEditing,
  takeLatest,
} from '../../../../src/emulator/studio/page/editor/model/editing.ts';
import { FIELDS, studioItem } from './studio-fields.ts';

const start = (values: object) => startEditing(FIELDS, studioItem('1', { ja: values as never }));
const changed = (values: object) => studioItem('2', { ja: values as never });

describe('editing an item', () => {
  it('has no unsaved changes after a change is taken back', () => {
    const edited = setValue(start({ title: 'One' }), 'ja', 'title', 'Two');
    expect(hasUnsavedChanges(edited)).toBe(true);
    expect(hasUnsavedChanges(setValue(edited, 'ja', 'title', 'One'))).toBe(false);
  });
  it('has unsaved changes when a language is added, even an empty one', () => {
    const added = addLanguage(start({ title: 'One' }), 'en', {});
    expect(hasUnsavedChanges(added)).toBe(true);
    expect(hasUnsavedChanges(revert(added, 'en'))).toBe(false);
  });
  it('forgets the problem of a value when it changes', () => {
    const refused = {
      ...start({ title: 'One' }),
      problems: [{ lang: 'ja', problems: [{ path: 'title', message: 'no' }] }],
    };
    expect(setValue(refused, 'ja', 'lead', 'x').problems[0]?.problems).toHaveLength(1);
    expect(setValue(refused, 'ja', 'title', 'Two').problems[0]?.problems).toHaveLength(0);
  });
});

describe('changes made elsewhere', () => {
  it('are shown at once when nothing is unsaved', () => {
    const state = receive(start({ title: 'One' }), changed({ title: 'Two' }));
    expect(currentValues(state, 'ja')).toEqual({ title: 'Two' });
    expect(state.latest).toBeUndefined();
  });
  it('never touch unsaved changes', () => {
    const edited = setValue(start({ title: 'One', lead: 'a' }), 'ja', 'title', 'Mine');
    const state = receive(edited, changed({ title: 'Theirs', lead: 'b' }));
    expect(currentValues(state, 'ja')).toEqual({ title: 'Mine', lead: 'a' });
    expect(state.latest?.version).toBe('2');
  });
  it('are merged into the untouched fields when they are taken', () => {
    const edited = setValue(start({ title: 'One', lead: 'a' }), 'ja', 'title', 'Mine');
    const state = takeLatest(receive(edited, changed({ title: 'One', lead: 'b' })));
    expect(currentValues(state, 'ja')).toEqual({ title: 'Mine', lead: 'b' });
    expect(state.item.version).toBe('2');
    expect(contestedOverwrites(state)).toEqual([]);
  });
  it('stay contested after they are taken, until the values agree', () => {
    const edited = setValue(start({ title: 'One' }), 'ja', 'title', 'Mine');
    const state = takeLatest(receive(edited, changed({ title: 'Theirs' })));
    expect(contestedOverwrites(state)).toMatchObject([{ lang: 'ja', theirs: 'Theirs', mine: 'Mine' }]);
    expect(contestedOverwrites(setValue(state, 'ja', 'title', 'Theirs'))).toEqual([]);
  });
  it('are overwritten by a save only in fields that were changed to something else here', () => {
    let state = start({ title: 'One', lead: 'a', visible: true });
    state = setValue(state, 'ja', 'title', 'Mine');
    state = setValue(state, 'ja', 'visible', false);
    const overwrites = findOverwrites(state, changed({ title: 'Theirs', lead: 'b', visible: false }));
    expect(overwrites.map(({ field, theirs, mine }) => [field.luid, theirs, mine])).toEqual([
      ['title', 'Theirs', 'Mine'],
    ]);
  });
  it('are shown when the unsaved changes are reverted', () => {
    const edited = setValue(start({ title: 'One' }), 'ja', 'title', 'Mine');
    const state = revert(receive(edited, changed({ title: 'Theirs' })));
    expect(currentValues(state, 'ja')).toEqual({ title: 'Theirs' });
    expect(state.latest).toBeUndefined();
  });
});

describe('after a save', () => {
  it('what was sent is no longer unsaved', () => {
    const edited = setValue(start({ title: 'One' }), 'ja', 'title', 'Two');
    const state = afterSave(edited, changed({ title: 'Two' }), 'ja', { title: 'Two' });
    expect(hasUnsavedChanges(state)).toBe(false);
  });
  it('what was typed since it was sent is still unsaved', () => {
    let state = setValue(start({ title: 'One' }), 'ja', 'title', 'Two');
    const sent = currentValues(state, 'ja') ?? {};
    state = setValue(state, 'ja', 'lead', 'typed');
    state = afterSave(state, changed({ title: 'Two' }), 'ja', sent);
    expect(state.edits).toEqual({ ja: { title: 'Two', lead: 'typed' } });
  });
  it('the unsaved changes of other languages stay', () => {
    let state = setValue(start({ title: 'One' }), 'ja', 'title', 'Two');
    state = addLanguage(state, 'en', { title: 'Two, in English' });
    state = afterSave(state, changed({ title: 'Two' }), 'ja', { title: 'Two' });
    expect(state.edits).toEqual({ en: { title: 'Two, in English' } });
  });
});
