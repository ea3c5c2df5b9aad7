import { Buffer } from 'node:buffer';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { field } from '../../src/models/field.ts';
import { hasBrowser } from '../support/browser.ts';
import { FIELD_CASES, FIELD_SEED } from './studio-field-cases.ts';
import { answerDialog, entry, StudioBrowser, type StudioTab } from './studio-page.ts';

const MODELS = {
  ...FIELD_SEED.models,
  article: {
    title: field.text(),
    lead: field.multiline(),
    author: field.reference('author'),
    starts_at: field.datetime(),
    seo: field.fieldSet({ headline: field.text(), description: field.text() }),
    rows: field.repeat({ name: field.text(), by: field.reference('author'), at: field.datetime() }),
    blocks: field.combination({ saying: { words: field.text() }, data: { json: field.unknown() } }),
  },
};

/** The emulator's time; tests move it on, so that each change has a time of its own. */
let now = Date.parse('2026-02-01T00:00:00Z');
const HOUR = 3_600_000;

describe.skipIf(!hasBrowser)('the editor of the studio', () => {
  let studio: StudioBrowser;

  beforeAll(async () => {
    studio = await StudioBrowser.start({ ...FIELD_SEED, models: MODELS }, 'Asia/Tokyo', { clock: () => now });
  });
  afterEach(async () => {
    await studio.closeTabs();
    expect(studio.errors.splice(0)).toEqual([]);
  });
  afterAll(() => studio?.close());

  const createArticle = (fields: object = { title: 'One', lead: 'Lead' }, published = true) =>
    studio.emulator.contents.create({
      model: 'article',
      [published ? 'published' : 'draft']: { ja: fields },
    });

  describe('writes what is entered, as the API returns it', () => {
    const expectedValue = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replaceAll('{assets_url}', studio.emulator.assetsUrl));

    test.each(FIELD_CASES)('in a field of the type $model', async ({ model, ...steps }) => {
      const tab = await studio.sharedTab();
      const id = await tab.create(model, async () => {
        await tab.field('title').fill('題');
        await steps.created.enter(tab.fields(), tab);
      });
      expect(await studio.read(id, { key: 'all' })).toMatchObject({
        _status: 'draft',
        title: '題',
        value: expectedValue(steps.created.expected),
      });

      await steps.edited.enter(tab.fields(), tab);
      await tab.saveAndPublish();
      const published = await studio.read(id);
      expect(published).toMatchObject({ _status: 'published', title: '題' });
      expect(published.value).toEqual(expectedValue(steps.edited.expected));

      await tab.addLanguage('English');
      await steps.translated.enter(tab.fields('English'), tab);
      await tab.saveAndPublish();
      const translated = await studio.read(id, { lang: 'en' });
      expect(translated.value).toEqual(expectedValue(steps.translated.expected));
      expect(translated.title).toBe('');
      expect((await studio.read(id)).value).toEqual(expectedValue(steps.edited.expected));

      await tab.language('Japanese').click();
      await steps.emptied.enter(tab.fields(), tab);
      await tab.saveAndPublish();
      expect((await studio.read(id)).value).toEqual(expectedValue(steps.emptied.expected));
      expect((await studio.read(id, { lang: 'en' })).value).toEqual(expectedValue(steps.translated.expected));
    });

    test('with the line breaks that a text already has', async () => {
      const id = createArticle({ lead: 'a\r\nb\nc\rd' });
      const tab = await studio.open(`item/${id}`);
      await tab.field('lead').press('Control+End');
      await tab.field('lead').pressSequentially('e');
      await tab.save();
      expect((await studio.read(id, { key: 'all' })).lead).toBe('a\r\nb\nc\rde');
      await tab.field('lead').press('Control+Home');
      await tab.field('lead').press('Delete');
      await tab.save();
      expect((await studio.read(id, { key: 'all' })).lead).toBe('\r\nb\nc\rde');
    });

    test('in the second language only, when an item is created in it', async () => {
      const tab = await studio.open('new/article');
      await tab.page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'English' });
      await tab.field('title', 'English').fill('Only English');
      await tab.button('Save draft').click();
      await tab.page.waitForURL(/#\/item\/\d+\?lang=en/);
      await tab.settled();
      const { itemId } = tab;
      expect((await studio.read(itemId, { key: 'all', lang: 'en' })).title).toBe('Only English');
      expect((await studio.read(itemId, { key: 'all' })).title).toBe('');
    });

    test('and leaves fields alone that were not changed', async () => {
      const id = createArticle({ title: 'One', lead: 'Lead', seo: { headline: 'H' } });
      const tab = await studio.open(`item/${id}`);
      const sent = tab.page.waitForRequest((request) => request.url().endsWith(`contents/${id}/draft`));
      await tab.field('title').fill('Two');
      await tab.save();
      const body: Record<string, unknown> = (await sent).postDataJSON();
      expect(body).toEqual({ version: expect.any(String), lang: 'ja', fields: { title: 'Two' } });
    });
  });

  test('uploads a file in the picker with alt texts, and uses it', async () => {
    const tab = await studio.open();
    const id = await tab.create('media', async () => {
      await tab.button('Choose … value').click();
      const picker = tab.dialog('Choose: value');
      const chosen = tab.page.waitForEvent('filechooser');
      await picker.getByRole('button', { name: 'Upload …', exact: true }).click();
      const buffer = Buffer.from('GIF89a');
      await (await chosen).setFiles({ name: '写真 "1".gif', mimeType: 'image/gif', buffer });
      const upload = tab.dialog('Upload a file');
      await upload.getByLabel('Alt text, ja').fill('港の<b>夕方');
      await upload.getByLabel('Alt text, en').fill('Dusk');
      await upload.getByRole('button', { name: 'Upload', exact: true }).click();
      await expect.poll(() => tab.focusedName()).toBe('Choose … value');
      await tab.fields().getByText('写真 "1".gif').waitFor();
    });
    await tab.button('Publish').click();
    await tab.state('Published').waitFor();
    const { value } = (await studio.read(id)) as { value: { url: string; alt: string } };
    expect(value.alt).toBe('港の<b>夕方');
    expect(decodeURIComponent(value.url)).toMatch(/写真 "1"\.gif$/);
    expect(await (await fetch(value.url)).text()).toBe('GIF89a');
  });

  test('does not choose content that was found for an earlier search', async () => {
    const tab = await studio.open('new/reference');
    const search = tab.fields().getByRole('combobox');
    await search.click();
    await tab.fields().getByRole('option').nth(1).waitFor();
    // The response to the search is held back until Enter was pressed.
    let respond = () => {};
    const held = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await tab.page.route(/search=/, async (route) => {
      await held;
      await route.continue();
    });
    await search.fill('Mori');
    await search.press('Enter');
    expect(await tab.fields().getByRole('link').count()).toBe(0);
    respond();
    await expect.poll(() => tab.fields().getByRole('option').count()).toBe(1);
    await search.press('Enter');
    await tab.fields().getByRole('link', { name: 'Mori' }).waitFor();
  });

  describe('changes the state of an item with buttons', () => {
    /** Presses a button and compares the times that are shown with those of the API. */
    async function act(tab: StudioTab, name: string, status: string): Promise<void> {
      now += HOUR;
      const id = tab.itemId;
      const before = await shownTimes(tab);
      await tab.button(name).click();
      if (name === 'Discard draft') {
        const dialog = tab.page.getByRole('dialog', { name: 'Discard the draft?' });
        await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
      }
      // An item that stays published shows its state already.
      if (status !== 'Archived') await tab.settled();
      await tab.state(status).waitFor();
      const shown = await shownTimes(tab);
      const item = await studio.read(id, { key: 'all' });
      if (status !== 'Archived') {
        expect(shown).toEqual({
          _updated_at: item._updated_at,
          _published_at: item._published_at,
          _last_published_at: item._last_published_at,
        });
      }
      for (const time of ['_updated_at', '_last_published_at'] as const) {
        const change =
          before[time] === shown[time] ? 'unchanged' : `${before[time] ?? 'null'} → ${shown[time] ?? 'null'}`;
        await tab.page.getByText(`${time}: ${change}`).last().waitFor();
      }
    }

    test('through a whole life', async () => {
      const tab = await studio.open();
      const id = await tab.create('article', () => tab.field('title').fill('Life'));
      expect(await tab.time('_published_at')).toBeNull();

      await act(tab, 'Publish', 'Published');
      expect(await studio.read(id)).toMatchObject({ _status: 'published', title: 'Life' });
      const publishedAt = await tab.time('_published_at');

      await tab.field('title').fill('Draft');
      await act(tab, 'Save draft', 'Published, with draft');
      expect(await studio.read(id)).toMatchObject({ title: 'Life' });
      expect(await studio.read(id, { key: 'all' })).toMatchObject({ title: 'Draft' });

      await act(tab, 'Discard draft', 'Published');
      expect(await studio.read(id, { key: 'all' })).toMatchObject({ _status: 'published', title: 'Life' });
      expect(await tab.field('title').inputValue()).toBe('Life');

      await tab.field('title').fill('Again');
      await act(tab, 'Save and publish', 'Published');
      expect(await studio.read(id)).toMatchObject({ title: 'Again', _published_at: publishedAt });

      await act(tab, 'Unpublish', 'Draft');
      expect(await studio.read(id)).toMatchObject({ status: '404' });
      await act(tab, 'Archive', 'Archived');
      expect(await studio.read(id, { key: 'all' })).toMatchObject({ status: '404' });
      expect(await tab.field('title').isDisabled()).toBe(true);
      await act(tab, 'Restore', 'Draft');
      expect(await studio.read(id, { key: 'all' })).toMatchObject({ _status: 'draft', title: 'Again' });
    });

    test('duplicates an item: the copy is a draft of its own', async () => {
      const id = createArticle({ title: 'Original' });
      const tab = await studio.open(`item/${id}`);
      await tab.button('Duplicate').click();
      await tab.state('Draft').waitFor();
      const copy = tab.itemId;
      expect(copy).not.toBe(id);
      await tab.field('title').fill('Copy');
      await tab.saveAndPublish();
      expect(await studio.read(copy)).toMatchObject({ title: 'Copy' });
      expect(await studio.read(id)).toMatchObject({ title: 'Original' });
    });

    test('deletes from the archive only, and after a question', async () => {
      const id = createArticle({ title: 'Old' });
      const tab = await studio.open(`item/${id}`);
      expect(await tab.button('Delete permanently').isDisabled()).toBe(true);
      await tab.button('Archive').click();
      await tab.state('Archived').waitFor();
      await tab.button('Delete permanently').click();
      const question = tab.dialog('Delete permanently?');
      await question.getByRole('button', { name: 'Cancel' }).click();
      expect(studio.emulator.contents.get(id).archived).toBe(true);
      await tab.button('Delete permanently').click();
      await question.getByRole('button', { name: 'Delete permanently' }).click();
      await tab.page.waitForURL(/#\/model\/article/);
      expect(() => studio.emulator.contents.get(id)).toThrow();
    });
  });

  test('names and shows the fields that differ from what is published, at any depth', async () => {
    const id = createArticle({
      title: 'One',
      lead: 'Lead',
      seo: { headline: 'Old headline', description: 'Same' },
      rows: [{ name: 'first' }, { name: 'second' }],
      blocks: [{ luid: 'saying', fields: { words: 'Old words' } }],
    });
    studio.emulator.contents.saveDraft(id, {
      title: 'Two',
      seo: { headline: 'New headline', description: 'Same' },
      rows: [{ name: 'first' }, { name: 'changed' }],
      blocks: [
        { luid: 'saying', fields: { words: 'Old words' } },
        { luid: 'saying', fields: { words: 'Added' } },
      ],
    });
    const tab = await studio.open(`item/${id}`);
    await tab.page.getByText('4 fields differ from what is published.').waitFor();
    await tab.button('Compare with published').click();
    const published = (luid: string) => tab.page.getByRole('region', { name: `Published value of ${luid}` });
    expect(await published('title').textContent()).toContain('One');
    expect(await published('seo').textContent()).toContain('headline: Old headline');
    expect(await published('rows').textContent()).toMatch(/1\. name: first\s+2\. name: second/);
    expect(await published('blocks').textContent()).not.toContain('Added');
    expect(await published('lead').count()).toBe(0);
    expect(await differing(tab.fields())).toEqual([
      'title',
      'seo',
      'seo.headline',
      'rows',
      'rows[1].name',
      'blocks',
    ]);
    await tab.field('title').fill('One');
    await tab.page.getByText('3 fields differ from what is published.').waitFor();
  });

  describe('with a change made elsewhere', () => {
    const ELSEWHERE = [
      {
        by: 'another tab',
        change: async (id: number, fields: { title?: string; lead?: string }) => {
          const other = await studio.open(`item/${id}`);
          for (const [luid, text] of Object.entries(fields)) await other.field(luid).fill(text);
          await other.save();
          await other.page.close();
        },
      },
      { by: 'a PATCH', change: (id: number, fields: object) => studio.patch(id, 'article', fields) },
    ];

    test.each(ELSEWHERE)('by $by shows it without a reload', async ({ change }) => {
      const id = createArticle();
      const tab = await studio.open(`item/${id}`);
      await change(id, { title: 'Changed' });
      await expect.poll(() => tab.field('title').inputValue()).toBe('Changed');
      await tab.page.getByRole('heading', { level: 1, name: 'Changed' }).waitFor();
    });

    test.each(ELSEWHERE)(
      'by $by keeps what is being typed, and asks before it overwrites',
      async ({ change }) => {
        const id = createArticle();
        const tab = await studio.open(`item/${id}`);
        await typeInTheMiddle(tab);
        await change(id, { title: 'Theirs' });
        const banner = tab.page.getByRole('region', { name: 'Changes made elsewhere' });
        await banner.getByText(/title \(ja\)/).waitFor();
        await tab.page.bringToFront();
        await banner.getByText('This item was changed elsewhere.').waitFor();
        expect(await caretOf(tab.page)).toEqual({ value: 'Omine', start: 2 });
        await tab.page.keyboard.type('!');
        expect(await tab.field('title').inputValue()).toBe('Om!ine');
        await banner.getByRole('button', { name: 'Show the changes' }).click();
        await banner.getByText('Theirs').waitFor();
        await banner.getByText('You changed this too').waitFor();

        await tab.field('title').focus();
        await tab.page.keyboard.press('Control+S');
        const question = tab.dialog('Overwrite changes made elsewhere?');
        expect(await question.textContent()).toMatch(/title ja\s*Theirs\s*Theirs\s*Mine\s*Om!ine/);
        await question.getByRole('button', { name: 'Cancel' }).click();
        await question.waitFor({ state: 'detached' });
        await expect.poll(() => caretOf(tab.page)).toEqual({ value: 'Om!ine', start: 3 });
        expect((await studio.read(id, { key: 'all' })).title).toBe('Theirs');

        await tab.button('Save draft').click();
        await question.getByRole('button', { name: 'Overwrite' }).click();
        await tab.settled();
        expect((await studio.read(id, { key: 'all' })).title).toBe('Om!ine');
        expect((await studio.read(id, { key: 'all' })).lead).toBe('Lead');
      },
    );

    test.each(ELSEWHERE)('by $by takes it into the fields that are not being changed', async ({ change }) => {
      const id = createArticle();
      const tab = await studio.open(`item/${id}`);
      await tab.field('title').fill('Mine');
      await change(id, { lead: 'Their lead' });
      await tab.button('Take the other changes').click();
      await expect.poll(() => tab.field('lead').inputValue()).toBe('Their lead');
      expect(await tab.field('title').inputValue()).toBe('Mine');
      await tab.save();
      expect(await studio.read(id, { key: 'all' })).toMatchObject({ title: 'Mine', lead: 'Their lead' });
    });

    test('saves without a question if it was in other fields, and keeps it', async () => {
      const id = createArticle();
      const tab = await studio.open(`item/${id}`);
      await tab.field('title').fill('Mine');
      await studio.patch(id, 'article', { lead: 'Their lead' });
      await tab.save();
      expect(await studio.read(id, { key: 'all' })).toMatchObject({ title: 'Mine', lead: 'Their lead' });
    });

    test('still asks after it was taken, if the same field was changed here', async () => {
      const id = createArticle();
      const tab = await studio.open(`item/${id}`);
      await tab.field('title').fill('Mine');
      await studio.patch(id, 'article', { title: 'Theirs', lead: 'Their lead' });
      await tab.button('Take the other changes').click();
      await tab.page.getByText('title (ja). A save overwrites them.').waitFor();
      await tab.button('Save draft').click();
      const question = tab.dialog('Overwrite changes made elsewhere?');
      expect(await question.textContent()).not.toContain('Their lead');
      await question.getByRole('button', { name: 'Overwrite' }).click();
      await tab.settled();
      expect(await studio.read(id, { key: 'all' })).toMatchObject({ title: 'Mine', lead: 'Their lead' });
    });

    test('asks before an action on what the page does not show yet', async () => {
      const id = createArticle({ title: 'Shown' }, false);
      const tab = await studio.open(`item/${id}`);
      // The news of the change does not arrive.
      await tab.page.route(/_studio\/api\/activity/, () => {});
      const url = tab.page.url();
      // Leaves the page first, so that a load of it that is still on its way is not counted.
      await tab.page.goto('about:blank');
      let loads = 0;
      tab.page.on('response', (response) => {
        if (response.url().endsWith(`/contents/${id}`)) loads++;
      });
      await tab.page.goto(url);
      // The editor loads the item once more when it is shown.
      await expect.poll(() => loads).toBe(2);
      await tab.button('Publish').waitFor();
      await studio.patch(id, 'article', { title: 'Not shown' });
      await tab.button('Publish').click();
      const question = tab.dialog('This item was changed elsewhere');
      await question.getByText('Not shown').waitFor();
      await question.getByRole('button', { name: 'Cancel' }).click();
      expect(await studio.read(id)).toMatchObject({ status: '404' });
      await expect.poll(() => tab.field('title').inputValue()).toBe('Not shown');
      await tab.button('Publish').click();
      await tab.state('Published').waitFor();
    });

    test('does not save into an item that was archived', async () => {
      const id = createArticle();
      const tab = await studio.open(`item/${id}`);
      await tab.field('title').fill('Mine');
      studio.emulator.contents.archive(id);
      await tab.button('Take the other changes').waitFor();
      await tab.button('Save draft').click();
      await tab.page
        .getByText(/is archived/)
        .first()
        .waitFor();
      expect(studio.emulator.contents.get(id).draft).toBeUndefined();
      expect(await tab.field('title').inputValue()).toBe('Mine');
    });
  });

  describe('shows errors beside the field, and loses nothing', () => {
    test('for a reference whose target was archived in between', async () => {
      const author = studio.emulator.contents.create({
        model: 'author',
        published: { ja: { name: 'Gone' } },
      });
      const id = createArticle();
      const tab = await studio.open(`item/${id}`);
      await tab.field('lead').fill('Kept');
      await tab.button('Add an entry').click();
      const row = entry(tab.fields(), 'rows 1');
      await row.getByRole('combobox', { name: 'by: search content' }).fill('Gone');
      await row.getByRole('option', { name: /^Gone/ }).click();
      await row.getByRole('link', { name: 'Gone' }).waitFor();
      const group = row.getByRole('group', { name: 'by', exact: true });
      await row.getByRole('button', { name: /^1\s*rows/ }).click();
      await group.waitFor({ state: 'hidden' });
      studio.emulator.contents.archive(author);
      await tab.button('Save draft').click();

      const message = `is content ${author}, which does not exist, is archived or is not of the model author`;
      await group.waitFor();
      await expect.poll(() => describedBy(group)).toBe(message);
      await expect.poll(() => tab.focusedName()).toBe('Change');
      await tab.page.getByRole('alert').getByText(message).waitFor();
      expect(await tab.field('lead').inputValue()).toBe('Kept');
      expect(studio.emulator.contents.get(id).draft).toBeUndefined();

      await row.getByRole('button', { name: 'Remove', exact: true }).click();
      await tab.page.getByRole('alert').getByText(message).waitFor({ state: 'detached' });
      await tab.save();
      expect(await studio.read(id, { key: 'all' })).toMatchObject({ lead: 'Kept' });
    });

    test('in a language that is not shown: it is shown then', async () => {
      const author = studio.emulator.contents.create({
        model: 'author',
        published: { ja: { name: 'Away' } },
      });
      const id = createArticle();
      const tab = await studio.open(`item/${id}`);
      await tab.addLanguage('English');
      const form = tab.fields('English');
      await form.getByRole('combobox', { name: 'author: search content' }).fill('Away');
      await form.getByRole('option', { name: /^Away/ }).click();
      await form.getByRole('link', { name: 'Away' }).waitFor();
      await tab.language('Japanese').click();
      await tab.field('title').waitFor();
      studio.emulator.contents.archive(author);
      await tab.button('Save draft').click();
      await form.getByText(/^is content/).waitFor();
      await expect.poll(() => tab.focusedName()).toBe('Change');
    });

    test.each([
      { editor: 'a new item', open: async () => 'new/article' },
      { editor: 'an item', open: async () => `item/${createArticle()}` },
    ])('for an incomplete date-time in $editor', async ({ open }) => {
      const tab = await studio.open(await open());
      await tab.field('title').fill('Kept');
      await tab.field('starts_at: date').focus();
      await tab.page.keyboard.press('0');
      await tab.page.keyboard.press('5');
      await tab.field('title').focus();
      await tab.fields().getByText('Enter a complete date.').waitFor();
      await tab.button('Save draft').click();
      await expect.poll(() => tab.focusedName()).toBe('starts_at: date');
      expect(await tab.field('title').inputValue()).toBe('Kept');

      await tab
        .fields()
        .getByRole('group', { name: 'starts_at' })
        .getByRole('button', { name: 'Clear' })
        .click();
      await tab.field('starts_at: date').focus();
      await tab.field('title').focus();
      expect(await tab.fields().getByText('Enter a complete date.').count()).toBe(0);
      await tab.button('Save draft').click();
      await tab.settled();
      expect(await studio.read(tab.itemId, { key: 'all' })).toMatchObject({ title: 'Kept', starts_at: null });
    });

    test('for JSON that is not valid, inside a block', async () => {
      const tab = await studio.open('new/article');
      await tab.field('title').fill('Kept');
      await tab.button('Add data').click();
      const json = tab.field('json');
      await json.fill('{ "a": 1, }');
      await entry(tab.fields(), 'data 1')
        .getByText(/^Not valid JSON: /)
        .waitFor();
      await tab.field('title').focus();
      await tab.button('Save draft').click();
      await expect.poll(() => tab.focusedName()).toContain('json');
      expect(await json.inputValue()).toBe('{ "a": 1, }');
      expect(await json.getAttribute('aria-invalid')).toBe('true');
      await json.fill('{ "a": 1 }');
      await tab.button('Save draft').click();
      await tab.settled();
      const saved = await studio.read(tab.itemId, { key: 'all' });
      expect(saved.blocks).toEqual([{ luid: 'data', fields: { json: { a: 1 } } }]);
    });

    test('while the emulator does not respond', async () => {
      const id = createArticle();
      const tab = await studio.open(`item/${id}`);
      await tab.field('title').fill('Mine');
      await tab.page.route(/\/draft$/, (route) => route.abort());
      await tab.button('Save draft').click();
      await tab.page.getByText('The emulator does not respond.').first().waitFor();
      expect(await tab.field('title').inputValue()).toBe('Mine');
      await tab.page.unroute(/\/draft$/);
      await tab.save();
      expect((await studio.read(id, { key: 'all' })).title).toBe('Mine');
    });
  });

  describe('loses nothing that is typed while a save is under way', () => {
    /** Holds the requests to a URL back. Returns a function that ends it: they are sent, or fail. */
    async function hold(page: Page, url: RegExp): Promise<(how: 'continue' | 'abort') => void> {
      const released = Promise.withResolvers<'continue' | 'abort'>();
      await page.route(url, async (route) => route[await released.promise]());
      return released.resolve;
    }

    test('in a new item: its fields can be changed again when it exists', async () => {
      const tab = await studio.open('new/article');
      await tab.field('title').fill('One');
      const release = await hold(tab.page, /\/contents$/);
      await tab.button('Save draft').click();
      await expect.poll(() => tab.field('title').isDisabled()).toBe(true);
      expect(await tab.page.getByRole('combobox', { name: 'Language' }).isDisabled()).toBe(true);
      release('continue');
      await tab.page.waitForURL(/#\/item\/\d+/);
      await tab.settled();
      expect(await tab.field('title').isEditable()).toBe(true);
    });

    test('in a new item that cannot be created: the field has the focus again', async () => {
      const tab = await studio.open('new/article');
      await tab.field('title').fill('One');
      const release = await hold(tab.page, /\/contents$/);
      await tab.page.keyboard.press('Control+s');
      await expect.poll(() => tab.field('title').isDisabled()).toBe(true);
      release('abort');
      await tab.page.getByText('The emulator does not respond.').first().waitFor();
      await expect.poll(async () => (await tab.focusedName()).trim()).toBe('title');
      await tab.page.keyboard.type(' more');
      expect(await tab.field('title').inputValue()).toBe('One more');
    });

    test('in the alt text of a file that is uploaded next', async () => {
      const tab = await studio.open('media');
      const release = await hold(tab.page, /\/api\/media(?:\?|$)/);
      const files = ['first.txt', 'second.txt'].map((name) => ({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(name),
      }));
      await tab.page.locator('input[type=file]').first().setInputFiles(files);
      const dialog = tab.dialog('Upload 2 files');
      await tab.button('Upload 2 files').click();
      await tab.button('Uploading …').waitFor();
      await dialog.getByRole('group', { name: 'second.txt' }).getByLabel('Alt text, en').fill('Typed late');
      release('continue');
      await dialog.waitFor({ state: 'detached' });
      const added = studio.emulator.snapshot().media?.slice(-2) ?? [];
      expect(added).toMatchObject([{ alt: {} }, { alt: { en: 'Typed late' } }]);
      for (const { id } of added) studio.emulator.media.remove(id);
    });

    test('in an alt text', async () => {
      const id = studio.emulator.media.add({ file: 'harbour.jpg' });
      const storedAlt = () => studio.emulator.snapshot().media?.find((media) => media.id === id)?.alt;
      const tab = await studio.open('media');
      await tab.page.getByRole('button', { name: /harbour/ }).click();
      const alt = tab.page.getByLabel('Alt text, en', { exact: true });
      const save = tab.button('Save the alt text in en');
      const release = await hold(tab.page, /\/alt$/);
      await alt.fill('Harbour');
      await save.click();
      await alt.fill('Harbour at dusk');
      release('continue');
      await tab.page.getByText('The alt text in en is saved.').waitFor();
      expect(await alt.inputValue()).toBe('Harbour at dusk');
      expect(storedAlt()).toEqual({ en: 'Harbour' });
      expect(await tab.page.getByText('Changed elsewhere').count()).toBe(0);
      await save.click();
      await expect.poll(storedAlt).toEqual({ en: 'Harbour at dusk' });
      studio.emulator.media.remove(id);
    });
  });

  describe('protects unsaved changes', () => {
    const LEAVE = 'confirm: Leave this page? Your unsaved changes will be lost.';

    test('when another view is opened', async () => {
      const tab = await studio.open(`item/${createArticle()}`);
      await tab.field('title').fill('Mine');
      const media = tab.page.getByRole('link', { name: 'Media', exact: true });
      const asked = answerDialog(tab.page, 'dismiss');
      await media.click();
      expect(await asked).toBe(LEAVE);
      expect(await tab.field('title').inputValue()).toBe('Mine');
      expect(tab.page.url()).toContain('#/item/');
      const left = answerDialog(tab.page, 'accept');
      await media.click();
      expect(await left).toBe(LEAVE);
      await tab.page.getByLabel('Search media').waitFor();
    });

    test('on Back, as often as it is tried', async () => {
      const tab = await studio.open('model/article');
      await tab.page.getByRole('region', { name: 'article' }).waitFor();
      const id = createArticle();
      await tab.goTo(`item/${id}`);
      await tab.field('title').fill('Mine');
      for (let attempt = 0; attempt < 2; attempt++) {
        const asked = answerDialog(tab.page, 'dismiss');
        await goBack(tab.page);
        expect(await asked).toBe(LEAVE);
        await expect.poll(() => tab.page.url()).toContain(`#/item/${id}`);
        expect(await tab.field('title').inputValue()).toBe('Mine');
      }
      const left = answerDialog(tab.page, 'accept');
      await goBack(tab.page);
      await left;
      await tab.page.getByRole('region', { name: 'article' }).waitFor();
      expect(tab.page.url()).toContain('#/model/article');
    });

    test.each(['item', 'new'])('when the tab is closed (%s)', async (view) => {
      const tab = await studio.open(view === 'new' ? 'new/article' : `item/${createArticle()}`);
      await tab.field('title').press('x');
      await tab.field('title').fill('Mine');
      const asked = answerDialog(tab.page, 'dismiss');
      await tab.page.close({ runBeforeUnload: true });
      expect(await asked).toMatch(/^beforeunload/);
      expect(await tab.field('title').inputValue()).toBe('Mine');
      const closed = answerDialog(tab.page, 'accept');
      await tab.page.close({ runBeforeUnload: true });
      await closed;
    });

    test('but does not ask when everything is saved', async () => {
      const tab = await studio.open();
      const questions: string[] = [];
      tab.page.on('dialog', (dialog) => {
        questions.push(dialog.message());
        void dialog.accept();
      });
      await tab.create('article', () => tab.field('title').fill('Saved'));
      await tab.field('title').fill('Saved again');
      await tab.save();
      await tab.page.getByRole('link', { name: 'Media', exact: true }).click();
      await tab.page.getByLabel('Search media').waitFor();
      expect(questions).toEqual([]);
    });

    test('until they are reverted', async () => {
      const tab = await studio.open(`item/${createArticle()}`);
      await tab.field('title').fill('Mine');
      await tab.button('Revert unsaved changes').click();
      await tab.settled();
      expect(await tab.field('title').inputValue()).toBe('One');
    });
  });

  test('creates, fills in and publishes an item with the keyboard only', async () => {
    createArticle();
    const tab = await studio.open('model/article');
    const { page } = tab;
    await tabTo(page, page.getByRole('region').getByRole('link', { name: 'New article' }));
    await page.keyboard.press('Enter');
    await tab.field('title').waitFor();
    await tabTo(page, tab.field('title'));
    await page.keyboard.type('鍵盤');
    await tabTo(page, tab.fields().getByRole('combobox', { name: 'author: search content' }));
    await page.keyboard.type('花子');
    await tab.fields().getByText('1 result.').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tab.fields().getByRole('link', { name: '佐藤 花子' }).waitFor();
    for (const name of ['a', 'b']) {
      await tabTo(page, tab.button('Add an entry'));
      await page.keyboard.press('Enter');
      await expect.poll(() => tab.focusedName()).toContain('name');
      await page.keyboard.type(name);
    }
    await tabTo(page, tab.button('Move rows 2 up'), 'Shift+Tab');
    await page.keyboard.press('Enter');
    // The entry is the first one now, so the focus is on the button that can still move it.
    await expect.poll(() => tab.focusedName()).toBe('Move rows 1 down');
    await page.keyboard.press('Control+S');
    await page.waitForURL(/#\/item\/\d+/);
    await tab.settled();

    await tabTo(page, page.getByRole('tab', { name: /^Japanese/ }));
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'There is no English data yet' }).waitFor();
    await tabTo(page, tab.button('Start from Japanese'));
    await page.keyboard.press('Enter');
    await tab.field('title', 'English').waitFor();
    await tabTo(page, tab.field('title', 'English'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Keyboard');
    await page.keyboard.press('Control+S');
    await tab.settled();
    await tabTo(page, tab.button('Publish'));
    await page.keyboard.press('Enter');
    await tab.state('Published').waitFor();

    const rows = [
      { name: 'b', by: null, at: null },
      { name: 'a', by: null, at: null },
    ];
    expect(await studio.read(tab.itemId)).toMatchObject({ title: '鍵盤', author: 2, rows });
    expect(await studio.read(tab.itemId, { lang: 'en' })).toMatchObject({
      title: 'Keyboard',
      author: 2,
      rows,
    });
  });

  test('keeps the focus on the button that saves', async () => {
    const tab = await studio.open();
    await tab.create('text', () => tab.field('title').fill('Focus'));
    await tab.field('title').fill('Focus 2');
    await tab.button('Save draft').press('Enter');
    await tab.settled();
    expect(await tab.focusedName()).toBe('Save draft');
    // Nothing is left to be saved.
    await tab.page.keyboard.press('Enter');
    expect(await tab.button('Save draft').isDisabled()).toBe(true);
  });

  test('returns the focus when a dialog is closed with Escape', async () => {
    const tab = await studio.open('new/media');
    await tab.button('Choose … value').press('Enter');
    await tab.dialog('Choose: value').waitFor();
    await tab.page.keyboard.press('Escape');
    await tab.dialog('Choose: value').waitFor({ state: 'detached' });
    await expect.poll(() => tab.focusedName()).toBe('Choose … value');
  });
});

async function shownTimes(tab: StudioTab) {
  return {
    _updated_at: await tab.time('_updated_at'),
    _published_at: await tab.time('_published_at'),
    _last_published_at: await tab.time('_last_published_at'),
  };
}

/** The paths of the fields that are marked as differing. */
function differing(form: Locator): Promise<string[]> {
  const marks = form.getByText('Differs from published', { exact: true });
  return marks.evaluateAll((all) =>
    all.map((mark) => {
      const name = mark.parentElement?.querySelector('[id], label');
      const id = name?.id || name?.getAttribute('for') || '';
      return id.replace(/^field-ja-/, '').replace(/-label$/, '');
    }),
  );
}

/** `One` becomes `Omine`, with the caret after the m. */
async function typeInTheMiddle(tab: StudioTab): Promise<void> {
  await tab.field('title').press('End');
  await tab.page.keyboard.press('ArrowLeft');
  await tab.page.keyboard.press('ArrowLeft');
  await tab.page.keyboard.type('mi');
  await tab.page.keyboard.press('ArrowLeft');
}

function caretOf(page: Page) {
  return page.evaluate(() => {
    const { value, selectionStart: start } = document.activeElement as HTMLInputElement;
    return { value, start };
  });
}

/** The message that assistive technology reads for a control. */
function describedBy(control: Locator): Promise<string | null> {
  return control.evaluate(
    (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent ?? null,
  );
}

/** Back as in the browser. Playwright's own waits for a page load. */
function goBack(page: Page): Promise<void> {
  return page.evaluate(() => history.back());
}

async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${target} is not reached with ${key}.`);
}
