/** The pages of a folder, in the order in which they are read. */
const pages = (folder, names) => names.map((name) => (folder === '' ? name : `${folder}/${name}`));

/** The sidebar of the site. `test/docs/pages.test.ts` compares it with the files. */
export const SIDEBAR = [
  { label: 'Start', items: pages('start', ['why', 'install', 'quick-start', 'concepts']) },
  {
    label: 'Guides',
    items: [
      'guides',
      {
        label: 'Content',
        items: pages('guides', ['references', 'backlinks', 'languages', 'small-entries', 'writing']),
      },
      {
        label: 'Pages',
        items: pages('guides', [
          'images',
          'image-placeholders',
          'rich-text',
          'blocks',
          'untrusted-html',
          'search-engines',
        ]),
      },
      {
        label: 'Publishing',
        items: pages('guides', [
          'incremental-builds',
          'deploying',
          'rebuild-on-change',
          'sharing-a-cache',
          'serving',
          'revalidation',
          'previews',
        ]),
      },
      { label: 'Working locally', items: pages('guides', ['emulator', 'testing']) },
      {
        label: 'Recipes',
        items: pages('guides', ['pagination', 'tags', 'rss', 'sitemap', 'search', 'i18n-routing', 'menus']),
      },
    ],
  },
  {
    label: 'Reference',
    items: pages('reference', [
      'entry-points',
      'space',
      'fields',
      'loader',
      'live-loader',
      'integration',
      'components',
      'media',
      'cache-keys',
      'feeds',
      'client',
      'emulator',
      'seed',
      'commands',
      'environment',
      'errors',
    ]),
  },
  { label: 'More', items: ['architecture', 'comparison', 'migrating'] },
];
