/** The pages of a folder, in the order in which they are read. */
const pages = (folder, names) => names.map((name) => (folder === '' ? name : `${folder}/${name}`));

const label = (en, ja) => ({ label: en, translations: { ja } });

/** The sidebar of the site. `test/docs/pages.test.ts` compares it with the files. */
export const SIDEBAR = [
  {
    ...label('Start', 'はじめに'),
    items: pages('start', ['why', 'install', 'quick-start', 'tutorial', 'concepts', 'troubleshooting']),
  },
  {
    ...label('Guides', 'ガイド'),
    items: [
      'guides',
      {
        ...label('Content', 'コンテンツ'),
        items: pages('guides', [
          'references',
          'backlinks',
          'languages',
          'small-entries',
          'writing',
          'linting',
        ]),
      },
      {
        ...label('Pages', 'ページ'),
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
        ...label('Publishing', '公開'),
        items: pages('guides', [
          'incremental-builds',
          'deploying',
          'nilto',
          'rebuild-on-change',
          'webhooks',
          'sharing-a-cache',
          'serving',
          'hosts',
          'revalidation',
          'previews',
          'redirects',
        ]),
      },
      {
        ...label('Working locally', '手元での開発'),
        items: pages('guides', ['emulator', 'testing', 'backups']),
      },
      {
        ...label('Recipes', 'レシピ'),
        items: pages('guides', ['pagination', 'tags', 'rss', 'sitemap', 'search', 'i18n-routing', 'menus']),
      },
    ],
  },
  {
    ...label('Reference', 'リファレンス'),
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
  { ...label('More', 'そのほか'), items: ['architecture', 'comparison', 'migrating'] },
];
