import type { Locator } from 'playwright-core';
import type { Seed } from '../../src/emulator/index.ts';
import { field } from '../../src/models/field.ts';
import type { ModelMap } from '../../src/models/types.ts';
import { entry, type StudioTab } from './studio-page.ts';

/** What a person enters in the field `value`, and what the API returns for it. */
interface Step {
  readonly enter: (form: Locator, tab: StudioTab) => Promise<unknown>;
  readonly expected: unknown;
}

export interface FieldCase {
  readonly model: string;
  readonly created: Step;
  readonly edited: Step;
  /** In the second language. */
  readonly translated: Step;
  readonly emptied: Step;
}

const HOSTILE = `日本語 👩‍👩‍👧 "quotes" 'x' <b>bold</b> &amp; \\n {assets} %41`;

export const FIELD_SEED: Seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [
    { key: 'pub', reads: 'published' },
    { key: 'all', reads: 'drafts' },
  ],
  models: {
    author: { name: field.text() },
    text: { title: field.text(), value: field.text() },
    multiline: { title: field.text(), value: field.multiline() },
    flexible_text: { title: field.text(), value: field.flexibleText() },
    boolean: { title: field.text(), value: field.boolean() },
    select: { title: field.text(), value: field.select(['news', 'event', '日記 "1"']) },
    multi_select: { title: field.text(), value: field.multiSelect(['sea', 'tea', '山']) },
    free_select: { title: field.text(), value: field.multiSelect() },
    datetime: { title: field.text(), value: field.datetime() },
    media: { title: field.text(), value: field.media() },
    reference: { title: field.text(), value: field.reference('author') },
    unknown: { title: field.text(), value: field.unknown() },
    field_set: {
      title: field.text(),
      value: field.fieldSet({
        headline: field.text(),
        social: field.fieldSet({ image: field.media(), note: field.multiline() }),
      }),
    },
    repeat: {
      title: field.text(),
      value: field.repeat({ name: field.text(), at: field.datetime() }),
    },
    combination: {
      title: field.text(),
      value: field.combination({
        quote: { words: field.multiline() },
        fact: { label: field.text(), known: field.boolean() },
      }),
    },
    nested: {
      title: field.text(),
      value: field.combination({
        gallery: {
          caption: field.text(),
          pictures: field.repeat({ image: field.media(), by: field.reference('author') }),
        },
        note: { words: field.text() },
      }),
    },
  } satisfies ModelMap,
  media: [
    { id: 900, file: 'a.jpg', alt: { ja: '港', en: 'Harbour' } },
    { id: 901, file: 'b.jpg', alt: { ja: '茶畑' } },
  ],
  contents: [
    { id: 1, model: 'author', created_at: '2026-01-01T00:00:00Z', published: { ja: { name: 'Mori' } } },
    { id: 2, model: 'author', created_at: '2026-01-02T00:00:00Z', published: { ja: { name: '佐藤 花子' } } },
  ],
};

/** How the API returns the two media and the references of the seed, in each language. */
const media = (id: 900 | 901, lang: 'ja' | 'en' = 'ja') => ({
  url: `{assets_url}/${id}/${id === 900 ? 'a' : 'b'}.jpg`,
  alt: id === 900 ? { ja: '港', en: 'Harbour' }[lang] : { ja: '茶畑', en: '' }[lang],
});

const label = (form: Locator, name: string) => form.getByLabel(name, { exact: true });
const button = (form: Locator, name: string) => form.getByRole('button', { name, exact: true });

async function chooseMedia(form: Locator, tab: StudioTab, name: string, file: string): Promise<void> {
  await button(form, `Choose … ${name}`).click();
  await tab
    .dialog(`Choose: ${name}`)
    .getByRole('button', { name: new RegExp(file) })
    .click();
  await form.getByText(file).waitFor();
}

async function chooseContent(form: Locator, name: string, search: string, title: string): Promise<void> {
  const input = form.getByRole('combobox', { name: `${name}: search content` });
  await input.click();
  await input.fill(search);
  await form.getByRole('option', { name: new RegExp(title) }).click();
  await form.getByRole('link', { name: title }).waitFor();
}

async function enterTime(form: Locator, name: string, date: string, time: string, zone?: string) {
  await label(form, `${name}: date`).fill(date);
  await label(form, `${name}: time`).fill(time);
  if (zone) await label(form, `${name}: time zone`).selectOption({ label: zone });
}

async function addFact(form: Locator, index: number, text: string): Promise<void> {
  await button(form, 'Add fact').click();
  await label(entry(form, `fact ${index}`), 'label').fill(text);
}

/** The zone of the browser is Asia/Tokyo. */
export const FIELD_CASES: readonly FieldCase[] = [
  {
    model: 'text',
    created: { enter: (form) => label(form, 'value').fill(HOSTILE), expected: HOSTILE },
    edited: { enter: (form) => label(form, 'value').fill(' 端 の空白 '), expected: ' 端 の空白 ' },
    translated: { enter: (form) => label(form, 'value').fill('null'), expected: 'null' },
    emptied: { enter: (form) => label(form, 'value').fill(''), expected: '' },
  },
  {
    model: 'multiline',
    created: {
      enter: (form) => label(form, 'value').fill(`${HOSTILE}\n\n\t二行目\n`),
      expected: `${HOSTILE}\r\n\r\n\t二行目\r\n`,
    },
    edited: {
      enter: async (form) => {
        await label(form, 'value').press('Control+End');
        await label(form, 'value').pressSequentially('三行目\n終');
      },
      expected: `${HOSTILE}\r\n\r\n\t二行目\r\n三行目\r\n終`,
    },
    translated: { enter: (form) => label(form, 'value').fill('One\nTwo'), expected: 'One\r\nTwo' },
    emptied: { enter: (form) => label(form, 'value').fill(''), expected: '' },
  },
  {
    model: 'flexible_text',
    created: {
      enter: (form) => label(form, 'value').fill('<h2>見出し 🚢</h2>\n<p onclick="x()">a &lt;b&gt; "c"</p>'),
      expected: '<h2>見出し 🚢</h2>\n<p onclick="x()">a &lt;b&gt; "c"</p>',
    },
    edited: {
      enter: (form) => label(form, 'value').fill('<p>b</p><script>document.title = "x"</script>'),
      expected: '<p>b</p><script>document.title = "x"</script>',
    },
    translated: { enter: (form) => label(form, 'value').fill('<p>English</p>'), expected: '<p>English</p>' },
    emptied: { enter: (form) => label(form, 'value').fill(''), expected: '' },
  },
  {
    model: 'boolean',
    created: { enter: (form) => form.getByRole('checkbox').click(), expected: true },
    edited: { enter: (form) => form.getByRole('checkbox').click(), expected: false },
    translated: { enter: (form) => form.getByRole('checkbox').click(), expected: true },
    emptied: { enter: (form) => button(form, 'Clear').click(), expected: null },
  },
  {
    model: 'select',
    created: { enter: (form) => label(form, 'value').selectOption('event'), expected: 'event' },
    edited: { enter: (form) => label(form, 'value').selectOption('日記 "1"'), expected: '日記 "1"' },
    translated: { enter: (form) => label(form, 'value').selectOption('news'), expected: 'news' },
    emptied: { enter: (form) => label(form, 'value').selectOption(''), expected: null },
  },
  {
    model: 'multi_select',
    created: {
      enter: async (form) => {
        await form.getByRole('checkbox', { name: '山' }).check();
        await form.getByRole('checkbox', { name: 'sea' }).check();
      },
      expected: ['sea', '山'],
    },
    edited: {
      enter: async (form) => {
        await form.getByRole('checkbox', { name: 'tea' }).check();
        await form.getByRole('checkbox', { name: 'sea' }).uncheck();
      },
      expected: ['tea', '山'],
    },
    translated: { enter: (form) => form.getByRole('checkbox', { name: 'sea' }).check(), expected: ['sea'] },
    emptied: {
      enter: async (form) => {
        await form.getByRole('checkbox', { name: 'tea' }).uncheck();
        await form.getByRole('checkbox', { name: '山' }).uncheck();
      },
      expected: [],
    },
  },
  {
    model: 'free_select',
    created: {
      enter: async (form) => {
        await label(form, 'Another value').fill('新しい <b>');
        await label(form, 'Another value').press('Enter');
        await label(form, 'Another value').fill('b');
        await button(form, 'Add').click();
      },
      expected: ['新しい <b>', 'b'],
    },
    edited: { enter: (form) => form.getByRole('checkbox', { name: '新しい <b>' }).click(), expected: ['b'] },
    translated: {
      enter: async (form) => {
        await label(form, 'Another value').fill('c');
        await label(form, 'Another value').press('Enter');
      },
      expected: ['c'],
    },
    emptied: { enter: (form) => form.getByRole('checkbox', { name: 'b' }).click(), expected: [] },
  },
  {
    model: 'datetime',
    created: {
      enter: (form) => enterTime(form, 'value', '2026-05-01', '08:30'),
      expected: '2026-04-30T23:30:00Z',
    },
    edited: {
      // After a save the time is shown in UTC, as it is stored; in another zone it is another time.
      enter: (form) => enterTime(form, 'value', '2026-05-02', '23:59:59', 'UTC'),
      expected: '2026-05-02T23:59:59Z',
    },
    translated: {
      enter: (form) => enterTime(form, 'value', '1999-12-31', '00:00', 'UTC'),
      expected: '1999-12-31T00:00:00Z',
    },
    emptied: { enter: (form) => button(form, 'Clear').click(), expected: null },
  },
  {
    model: 'media',
    created: { enter: (form, tab) => chooseMedia(form, tab, 'value', 'a.jpg'), expected: media(900) },
    edited: { enter: (form, tab) => chooseMedia(form, tab, 'value', 'b.jpg'), expected: media(901) },
    translated: {
      enter: (form, tab) => chooseMedia(form, tab, 'value', 'a.jpg'),
      expected: media(900, 'en'),
    },
    emptied: { enter: (form) => button(form, 'Remove value').click(), expected: null },
  },
  {
    model: 'reference',
    created: { enter: (form) => chooseContent(form, 'value', '花子', '佐藤 花子'), expected: 2 },
    edited: {
      enter: async (form) => {
        await button(form, 'Change').click();
        await chooseContent(form, 'value', 'mori', 'Mori');
      },
      expected: 1,
    },
    translated: { enter: (form) => chooseContent(form, 'value', '', 'Mori'), expected: 1 },
    emptied: { enter: (form) => button(form, 'Remove').click(), expected: null },
  },
  {
    model: 'unknown',
    created: {
      enter: (form) => label(form, 'value').fill('{ "a": [1, null, "日本語\\r\\n<b>"], "b": false }'),
      expected: { a: [1, null, '日本語\r\n<b>'], b: false },
    },
    edited: { enter: (form) => label(form, 'value').fill('[0, ""]'), expected: [0, ''] },
    translated: { enter: (form) => label(form, 'value').fill('-1.5e3'), expected: -1500 },
    emptied: { enter: (form) => label(form, 'value').fill(''), expected: null },
  },
  {
    model: 'field_set',
    created: {
      enter: async (form, tab) => {
        await label(form, 'headline').fill(HOSTILE);
        await label(form, 'note').fill('a\nb');
        await chooseMedia(form, tab, 'image', 'a.jpg');
      },
      expected: { headline: HOSTILE, social: { image: media(900), note: 'a\r\nb' } },
    },
    edited: {
      enter: async (form) => {
        await label(form, 'note').fill('c');
        await button(form, 'Remove image').click();
      },
      expected: { headline: HOSTILE, social: { image: null, note: 'c' } },
    },
    translated: {
      enter: (form) => label(form, 'note').fill('English'),
      expected: { headline: '', social: { image: null, note: 'English' } },
    },
    emptied: {
      enter: async (form) => {
        await label(form, 'headline').fill('');
        await label(form, 'note').fill('');
      },
      expected: null,
    },
  },
  {
    model: 'repeat',
    created: {
      enter: async (form) => {
        for (const [index, name] of ['一', '二 <b>', '三'].entries()) {
          await button(form, 'Add an entry').click();
          await label(entry(form, `value ${index + 1}`), 'name').fill(name);
        }
        await enterTime(entry(form, 'value 2'), 'at', '2026-05-01', '09:00');
        await button(form, 'Move value 3 up').click();
      },
      expected: [
        { name: '一', at: null },
        { name: '三', at: null },
        { name: '二 <b>', at: '2026-05-01T00:00:00Z' },
      ],
    },
    edited: {
      enter: async (form) => {
        await button(form, 'Move value 1 down').click();
        await button(form, 'Move value 2 down').click();
        await button(form, 'Remove value 1').click();
        await button(form, 'Add an entry').click();
      },
      expected: [
        { name: '二 <b>', at: '2026-05-01T00:00:00Z' },
        { name: '一', at: null },
        { name: '', at: null },
      ],
    },
    translated: {
      enter: async (form) => {
        await button(form, 'Add an entry').click();
        await label(form, 'name').fill('One');
      },
      expected: [{ name: 'One', at: null }],
    },
    emptied: {
      enter: async (form) => {
        for (const index of [3, 1, 1]) await button(form, `Remove value ${index}`).click();
      },
      expected: [],
    },
  },
  {
    model: 'combination',
    created: {
      enter: async (form) => {
        await addFact(form, 1, '事実');
        await button(form, 'Add quote').click();
        await label(entry(form, 'quote 2'), 'words').fill('"引用"\n🚢');
        await addFact(form, 3, '事実');
        await entry(form, 'fact 3').getByRole('checkbox').click();
        await button(form, 'Move fact 1 down').click();
      },
      expected: [
        { luid: 'quote', fields: { words: '"引用"\r\n🚢' } },
        { luid: 'fact', fields: { label: '事実', known: null } },
        { luid: 'fact', fields: { label: '事実', known: true } },
      ],
    },
    edited: {
      enter: async (form) => {
        await button(form, 'Move fact 3 up').click();
        await label(entry(form, 'fact 3'), 'label').fill('別');
        await button(form, 'Remove quote 1').click();
      },
      expected: [
        { luid: 'fact', fields: { label: '事実', known: true } },
        { luid: 'fact', fields: { label: '別', known: null } },
      ],
    },
    translated: {
      enter: (form) => addFact(form, 1, 'A fact'),
      expected: [{ luid: 'fact', fields: { label: 'A fact', known: null } }],
    },
    emptied: {
      enter: async (form) => {
        await button(form, 'Remove fact 2').click();
        await button(form, 'Remove fact 1').click();
      },
      expected: [],
    },
  },
  {
    model: 'nested',
    created: {
      enter: async (form, tab) => {
        await button(form, 'Add note').click();
        await button(form, 'Add gallery').click();
        const gallery = entry(form, 'gallery 2');
        await label(gallery, 'caption').fill('写真');
        await button(gallery, 'Add an entry').click();
        await button(gallery, 'Add an entry').click();
        await chooseMedia(entry(gallery, 'pictures 1'), tab, 'image', 'a.jpg');
        await chooseContent(entry(gallery, 'pictures 2'), 'by', 'mori', 'Mori');
      },
      expected: [
        { luid: 'note', fields: { words: '' } },
        {
          luid: 'gallery',
          fields: {
            caption: '写真',
            pictures: [
              { image: media(900), by: null },
              { image: null, by: 1 },
            ],
          },
        },
      ],
    },
    edited: {
      enter: async (form, tab) => {
        await button(form, 'Move gallery 2 up').click();
        const gallery = entry(form, 'gallery 1');
        await button(gallery, 'Move pictures 2 up').click();
        await chooseMedia(entry(gallery, 'pictures 1'), tab, 'image', 'b.jpg');
        await label(entry(form, 'note 2'), 'words').fill('<i>');
      },
      expected: [
        {
          luid: 'gallery',
          fields: {
            caption: '写真',
            pictures: [
              { image: media(901), by: 1 },
              { image: media(900), by: null },
            ],
          },
        },
        { luid: 'note', fields: { words: '<i>' } },
      ],
    },
    translated: {
      enter: async (form) => {
        await button(form, 'Add gallery').click();
        await button(form, 'Add an entry').click();
        await chooseContent(form, 'by', '花子', '佐藤 花子');
      },
      expected: [{ luid: 'gallery', fields: { caption: '', pictures: [{ image: null, by: 2 }] } }],
    },
    emptied: {
      enter: async (form) => {
        await button(form, 'Remove gallery 1').click();
        await button(form, 'Remove note 1').click();
      },
      expected: [],
    },
  },
];
