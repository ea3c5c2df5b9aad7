import { field } from '../../../src/index.ts';
import { published } from '../loader-site.ts';
import {
  BERG,
  COVER,
  changeFields,
  changeSilently,
  type Edit,
  entriesOf,
  ITO,
  inBoth,
  MODELS,
  MORI,
  NEWER,
  type Scenario,
  TITLE,
  UNTYPED,
  UNTYPED_WITHOUT_OTHER,
} from './scenario.ts';

/** An edit, and the entries that a build after it shows as they were. */
export interface Missed extends Scenario {
  readonly edit: Edit;
  readonly missed: readonly string[];
  /** Another edit, and what is still missed after it. */
  readonly later?: { readonly edit: Edit; readonly missed: readonly string[] };
}

const ARTICLES = entriesOf('article', 11, 12, 13);
const editOne: Edit = ({ contents }) => contents.edit(11, { lead: 'edited' });
const DRAFTS = { collection: { drafts: true } };
const NO_TIMES = { assumptions: { draftTouchesUpdatedAt: false, unpublishTouchesUpdatedAt: false } };

/** The HTML of an item, with the name of other content that the service fills in. */
function showInText(service: Parameters<Edit>[0], id: number, name: string): void {
  const lead = `<p>By ${name}</p>`;
  changeSilently(service, id, ({ ja, en }) => ({ published: { ja: { ...ja, lead }, en: { ...en, lead } } }));
}

/** What deploying.md says that the next full read ends, line by line. */
export const UNTIL_FULL_READ: Record<string, Record<string, Missed>> = {
  'A changed alternative text': {
    'stays in items that are not read again': {
      edit: ({ media }) => media.setAlt(COVER, 'after'),
      missed: ARTICLES,
      later: { edit: editOne, missed: entriesOf('article', 12, 13) },
    },
  },

  'Archived, restored or deleted media': {
    'that was archived stays in items that are not read again': {
      edit: ({ media }) => media.archive(COVER),
      missed: ARTICLES,
      later: { edit: editOne, missed: entriesOf('article', 12, 13) },
    },
    'that was restored is missing in items that are not read again': {
      before: ({ media }) => media.archive(COVER),
      edit: ({ media }) => media.restore(COVER),
      missed: ARTICLES,
      later: { edit: editOne, missed: entriesOf('article', 12, 13) },
    },
    'that was deleted stays': { edit: ({ media }) => media.remove(COVER), missed: ARTICLES },
  },

  'A field that is added, removed or renamed, or that gets another type': {
    'is missed if it is added and not declared': {
      edit: changeFields('article', (fields) => Object.assign(fields, { extra: field.text() })),
      missed: ARTICLES,
    },
    'is missed if it is removed': {
      edit: changeFields('article', (fields) => delete fields.lead),
      missed: ARTICLES,
    },
    'is missed if it is renamed': {
      edit: ({ models }) => models.renameField('article', 'lead', 'intro'),
      missed: ARTICLES,
    },
    'is missed if it gets another type': {
      edit: changeFields('article', (fields) => Object.assign(fields, { lead: field.boolean() })),
      missed: ARTICLES,
    },
    'is missed in a field set': {
      edit: changeFields('article', (fields) =>
        Object.assign(fields, { seo: field.fieldSet({ description: field.text() }) }),
      ),
      missed: ARTICLES,
    },
    'is missed in blocks': {
      edit: changeFields('article', (fields) =>
        Object.assign(fields, { blocks: field.combination({ hero: { image: field.media() } }) }),
      ),
      missed: ARTICLES,
    },
  },

  'A renamed option': {
    'is missed in all items that have it': {
      edit: (service) => {
        service.models.setOptions('article', 'category', ['topic']);
        const category = 'topic';
        for (const id of [11, 12, 13])
          changeSilently(service, id, ({ ja, en }) => ({
            published: { ja: { ...ja, category }, en: { ...en, category } },
          }));
      },
      missed: ARTICLES,
    },
  },

  'Another title field': {
    'is missed in `_title` of items and of content that they embed': {
      edit: changeFields('author', (fields) =>
        Object.assign(fields, { name: field.text(), alias: field.text({ title: true }) }),
      ),
      missed: [...entriesOf('author', MORI, BERG, ITO), ...ARTICLES],
    },
  },

  'Another main language': {
    'is missed in all items': {
      edit: (service) => {
        for (const id of [11, 12, 13])
          changeSilently(service, id, ({ ja, en }) => ({ published: { ja: en, en: ja } }));
      },
      missed: ARTICLES,
    },
  },

  'Content that is shown inside a flexible text': {
    'is missed in the texts that show it, until these items are read again': {
      edit(service) {
        service.contents.edit(ITO, { name: 'after' });
        for (const id of [11, 12, 13]) showInText(service, id, 'after');
      },
      missed: ARTICLES,
      later: { edit: editOne, missed: entriesOf('article', 12, 13) },
    },
  },

  'An edit without a new time': {
    'is missed if content is published again as scheduled, and that moves no time': {
      edit: (service) =>
        changeSilently(service, 11, ({ ja, en }) => ({
          published: { ja: { ...ja, lead: 'scheduled' }, en },
        })),
      missed: ['article/11'],
    },
    'is missed if it keeps the time of the edit before': {
      edit: (service) =>
        changeSilently(service, ITO, ({ en }) => ({ published: { ja: { name: 'after' }, en } })),
      missed: [`author/${ITO}`],
    },
    'is missed if it is dated back': {
      edit: (service) =>
        changeSilently(service, ITO, ({ en }) => ({
          updated_at: '2026-01-01T00:00:30Z',
          published: { ja: { name: 'after' }, en },
        })),
      missed: entriesOf('author', ITO),
    },
    'is missed in another language': {
      edit: (service) =>
        changeSilently(service, ITO, ({ ja }) => ({ published: { ja, en: { name: 'after' } } })),
      missed: [`author-en/${ITO}`],
    },
    'is missed if it discards a draft': {
      ...DRAFTS,
      before: ({ contents }) => contents.saveDraft(11, { lead: 'draft' }),
      edit: ({ contents }) => contents.discardDraft(11),
      missed: entriesOf('article', 11),
    },
    'is missed if it saves a draft, and that moves no time': {
      ...DRAFTS,
      service: NO_TIMES,
      edit: ({ contents }) => contents.saveDraft(11, { lead: 'draft' }),
      missed: entriesOf('article', 11),
    },
    'is missed in `_status` of published content if saving a draft moves no time': {
      service: NO_TIMES,
      edit: ({ contents }) => contents.saveDraft(11, { lead: 'draft' }),
      missed: entriesOf('article', 11),
    },
    'is missed with the key for drafts if it unpublishes, and that moves no time': {
      ...DRAFTS,
      service: NO_TIMES,
      edit: ({ contents }) => contents.unpublish(11),
      missed: entriesOf('article', 11),
    },
    'is missed if it moves content to another sub-space': {
      service: { spaces: ['_parent', 'shop'] },
      edit: (service) => changeSilently(service, ITO, () => ({ space: 'shop' })),
      missed: entriesOf('author', ITO),
    },
  },

  'An item that appears with its old time while another one disappears': {
    'is missed if it is restored, and so are references to it': {
      before: ({ contents }) => contents.archive(MORI),
      edit: ({ contents }) => {
        contents.restore(MORI);
        contents.archive(BERG);
      },
      missed: [...entriesOf('author', MORI, BERG), ...ARTICLES],
    },
    'is missed if it is created with an old time': {
      edit: ({ contents }) => {
        const values = { ja: { name: '4' }, en: { name: '4' } };
        contents.create({ id: 4, model: 'author', created_at: '2026-01-01T00:00:30Z', published: values });
        contents.archive(BERG);
      },
      missed: entriesOf('author', 4, BERG),
    },
    'is missed in a language that it gets by a draft, if that moves no time': {
      contents: [published('author', MORI, { name: '1' }), inBoth('author', BERG, { name: '2' }), ...NEWER],
      ...DRAFTS,
      service: NO_TIMES,
      edit: (service) => {
        service.contents.saveDraft(MORI, { name: 'draft' }, { lang: 'en' });
        changeSilently(service, BERG, ({ ja }) => ({ published: { ja } }));
      },
      // Its `_status` is missed in the main language.
      missed: [`author/${MORI}`, `author-en/${MORI}`, `author-en/${BERG}`],
    },
    'is missed if it is moved from another sub-space': {
      contents: [
        inBoth('author', MORI, { name: '1' }),
        { ...inBoth('author', BERG, { name: '2' }), space: 'shop' },
        ...NEWER,
      ],
      service: { spaces: ['_parent', 'shop'] },
      space: { space: '_parent' },
      edit: (service) => {
        changeSilently(service, MORI, () => ({ space: 'shop' }));
        changeSilently(service, BERG, () => ({ space: '_parent' }));
      },
      missed: entriesOf('author', MORI, BERG),
    },
  },

  'Content of an undeclared model that appears or disappears': {
    'is missed in a reference until its item is read again': {
      contents: [
        inBoth('other', 5, { title: '5' }),
        inBoth('other', 6, { title: '6' }),
        inBoth('article', 11, { title: 'a', any: 5 }),
        inBoth('article', 12, { title: 'b', any: 6 }),
        inBoth('article', 13, { title: 'c', any: 6 }),
        ...NEWER,
      ],
      service: { models: UNTYPED },
      models: UNTYPED_WITHOUT_OTHER,
      before: ({ contents }) => contents.archive(6),
      edit: ({ contents }) => {
        contents.archive(5);
        contents.restore(6);
      },
      missed: ARTICLES,
      later: {
        edit: ({ contents }) => contents.edit(13, { title: 'edited' }),
        missed: entriesOf('article', 11, 12),
      },
    },
  },

  'References and media in a field that is not declared': {
    'are as they were when the item was read': {
      models: { ...MODELS, article: TITLE },
      edit: ({ contents, media }) => {
        contents.archive(MORI);
        media.archive(COVER);
      },
      missed: ARTICLES,
    },
  },
};
