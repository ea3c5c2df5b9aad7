/** A mistake that `luid lint` has to find: the rule, and the item. */
export type Planted = readonly [rule: string, id: number];

interface Item {
  readonly id: number;
  readonly model: string;
  readonly created_at: string;
  readonly published: Record<string, Record<string, unknown>>;
}

const ARTICLES = 1_600;
const AUTHORS = 200;
const CATEGORIES = 120;
const TERMS = 80;
const FIRST = { article: 10_000, author: 20_000, category: 30_000, term: 40_000, person: 50_000 };
const PLACES = ['鎌倉', '尾道', '函館', '金沢', '倉敷', '小樽', '萩', '長崎'];
const THINGS = ['港の朝', '坂の町', '夜行列車', '茶畑', '古い市場', '灯台', '雪の宿', '路面電車'];

/** The models as the site declares them; a person is not declared. */
export const MODELS = `{
  article: {
    title: field.text({ title: true, required: true }), slug: field.text({ required: true }),
    lead: field.multiline(), body: field.flexibleText({ required: true }), notes: field.flexibleText({ format: 'markdown' }),
    cover: field.media(), category: field.reference('category'), author: field.reference('author'),
    terms: field.repeat({ term: field.reference('term') }), related: field.repeat({ article: field.reference('article') }),
    seo: field.fieldSet({ description: field.text() }),
  },
  author: { name: field.text({ title: true }), slug: field.text() },
  category: { name: field.text({ title: true }), slug: field.text(), parent: field.reference('category') },
  term: { name: field.text({ title: true }) },
}`;

const text = { type: 'text' };
const SEED_MODELS = {
  article: {
    title: { type: 'text', title: true },
    slug: text,
    lead: { type: 'multiline' },
    body: { type: 'flexible_text' },
    notes: { type: 'flexible_text', format: 'markdown' },
    cover: { type: 'media' },
    category: { type: 'reference' },
    author: { type: 'reference' },
    terms: { type: 'repeat', fields: { term: { type: 'reference' } } },
    related: { type: 'repeat', fields: { article: { type: 'reference' } } },
    seo: { type: 'field_set', fields: { description: text } },
  },
  author: { name: { type: 'text', title: true }, slug: text },
  category: { name: { type: 'text', title: true }, slug: text, parent: { type: 'reference' } },
  term: { name: { type: 'text', title: true } },
  person: { name: { type: 'text', title: true } },
};

const slugOf = (n: number) => `kiji-${n}`;

/** A magazine of 2,000 items in Japanese, most also in English, with 100 mistakes. */
export function plantedCorpus() {
  const items = new Map<number, Item>();
  const planted: Planted[] = [];
  let time = Date.UTC(2026, 0, 1);
  const add = (id: number, model: string, ja: Record<string, unknown>, en?: Record<string, unknown>) => {
    time += 1000;
    const created_at = new Date(time).toISOString();
    items.set(id, { id, model, created_at, published: { ja, ...(en && { en }) } });
  };

  for (let n = 0; n < CATEGORIES; n++) {
    const parent = n >= 10 ? { parent: FIRST.category + (n % 10) } : {};
    const ja = { name: `分類${n} ${PLACES[n % 8]}`, slug: `bunrui-${n}`, ...parent };
    add(FIRST.category + n, 'category', ja, { ...ja, name: `Category ${n}` });
  }
  // Not translated on purpose.
  for (let n = 0; n < AUTHORS; n++) {
    add(FIRST.author + n, 'author', { name: `著者 ${n} 森田`, slug: `chosha-${n}` });
  }
  for (let n = 0; n < TERMS; n++) add(FIRST.term + n, 'term', { name: `用語${n}` });
  add(FIRST.person, 'person', { name: '宣言されていない人' });
  for (let n = 0; n < ARTICLES; n++) {
    // Not to those that are changed below.
    const other = slugOf(1_100 + ((n * 7 + 1) % 500));
    const body = (lang: string, h2: string, h3: string) =>
      `<h2>${h2}</h2><p>${PLACES[n % 8]}で見た<a href="${lang}/articles/${other}/">別の記事</a>と<a href="#${h2}">上</a>。` +
      `<a href="/files/map.pdf">地図</a> <a href="https://dev.to/a">外部</a> <a href="/about">案内</a> <a href="/old-about">旧</a></p>` +
      `<h3>${h3}</h3><p>詳しくは <a href="https://www.magazine.example/articles/${other}#${h2}">こちら</a>。</p><h2>終わりに</h2><p>おしまい。</p>`;
    const ja = {
      title: `${PLACES[n % 8]}の${THINGS[(n >> 3) % 8]} 第${n}回`,
      slug: slugOf(n),
      lead: `パスワード: お問い合わせください。\r\n電話は 03-1234-5678、https://example.jp/a?b=${n} をご覧ください。`,
      body: body('', '朝', '港'),
      notes: `<h2>見出し${n}</h2><p><a href="/authors/chosha-${n % AUTHORS}">著者</a>と<a href="#見出し${n}">下</a>、<a href="/categories/bunrui-${n % CATEGORIES}">分類</a></p><h3>小見出し</h3>`,
      cover: 900,
      category: FIRST.category + (n % CATEGORIES),
      author: FIRST.author + (n % AUTHORS),
      terms: [{ term: FIRST.term + (n % (TERMS - 5)) }],
      related: [{ article: FIRST.article + (n ^ 1) }],
      seo: { description: `説明 ${n}` },
    };
    const en = { ...ja, title: `Harbour ${n}`, lead: 'Hello.', body: body('/en', '朝', 'Quay') };
    add(FIRST.article + n, 'article', ja, en);
  }

  // Each of these changes articles of its own.
  let next = 20;
  const plant = (rule: string, count: number, change: (article: Item, n: number) => void) => {
    for (let n = 0; n < count; n++) {
      next += 11;
      const article = items.get(FIRST.article + next) as Item;
      planted.push([rule, article.id]);
      change(article, n);
    }
  };
  const inJa = (article: Item, change: (fields: Record<string, unknown>) => Record<string, unknown>) =>
    Object.assign(article.published.ja ?? {}, change(article.published.ja ?? {}));
  const append = (article: Item, html: string) => inJa(article, ({ body }) => ({ body: `${body}${html}` }));

  const LINKS = [
    '/articles/nai',
    '/article/kiji-1',
    '/articles/kiji-99999/',
    '/en/articles/nope',
    '/categories/nai?x=1',
    'https://magazine.example/nothing',
    '/abuot',
    '/files/missing.pdf',
    '/authors/dare#a',
    '/articles/%E3%81%82',
    'https://www.magazine.example/articles/nai-2',
  ];
  plant('broken-link', 11, (article, n) => append(article, `<p><a href="${LINKS[n]}">リンク</a></p>`));
  plant('broken-link', 1, (article) =>
    inJa(article, () => ({ notes: '<p><a href="/authors/dare-mo">切れ</a></p>' })),
  );
  plant('broken-fragment', 6, (article, n) =>
    append(article, `<p><a href="${['#夜', '#x', '/articles/kiji-3#夕方'][n % 3]}">下へ</a></p>`),
  );
  plant('dangling-reference', 8, (article) => inJa(article, () => ({ author: FIRST.person })));
  plant('circular-reference', 2, (article) => inJa(article, () => ({ related: [{ article: article.id }] })));
  plant('missing-alt', 5, (article) => inJa(article, () => ({ cover: 901 })));
  plant('missing-alt', 5, (article, n) =>
    append(article, n % 2 ? '<p><img src="/a.png"></p>' : '<p><img src="/a.png" alt=" "></p>'),
  );
  plant('heading-order', 8, (article, n) => append(article, n % 2 ? '<h4>飛び</h4>' : '<h5>飛び</h5>'));
  plant('heading-order', 2, (article) => inJa(article, () => ({ notes: '<h2>章</h2><h4>飛び</h4>' })));
  plant('empty-required', 6, (article, n) =>
    inJa(article, () => ({ body: ['', '<p> </p>', '<p>&nbsp;</p>'][n % 3] })),
  );
  plant('duplicate-slug', 6, (article, n) => {
    for (const fields of Object.values(article.published)) Object.assign(fields, { slug: slugOf(n) });
  });
  plant('duplicate-title', 6, (article, n) =>
    inJa(article, () => ({ title: items.get(FIRST.article + n)?.published.ja?.title })),
  );
  plant('missing-translation', 8, (article) => delete article.published.en);
  plant('large-image', 4, (article) => inJa(article, () => ({ cover: 902 })));
  plant('insecure-url', 4, (article) => append(article, '<p><a href="http://old.example.jp/">古い</a></p>'));
  plant('insecure-url', 2, (article) =>
    inJa(article, () => ({ lead: '詳細は（http://old.example.jp/a）へ。' })),
  );
  const HOSTS = [
    'https://staging.magazine.example/a',
    'http://localhost:4321/',
    'https://dev.magazine.example/',
    'https://stg.example.jp/x',
    'http://192.168.0.4/a',
  ];
  plant('staging-url', 5, (article, n) => append(article, `<p><a href="${HOSTS[n]}">確認用</a></p>`));
  const fake = (...parts: string[]) => parts.join('');
  const SECRETS = [
    fake('AKIA', 'ABCDEFGHIJKLMNOP'),
    'パスワード：tanuki2026',
    fake('ghp_', 'a1B2'.repeat(9)),
    fake('-----BEGIN RSA ', 'PRIVATE KEY-----'),
  ];
  plant('secret', 4, (article, n) => inJa(article, () => ({ lead: `メモ ${SECRETS[n]}` })));
  for (let n = 0; n < 5; n++) planted.push(['unused-item', FIRST.term + TERMS - 5 + n]);
  for (const first of [3, 40]) {
    const [a, b] = [FIRST.category + first, FIRST.category + first + 1];
    for (const [id, parent] of [
      [a, b],
      [b, a],
    ] as const) {
      for (const fields of Object.values(items.get(id)?.published ?? {})) Object.assign(fields, { parent });
    }
    planted.push(['circular-reference', a]);
  }

  const alt = { ja: '港', en: 'A harbour' };
  const seed = {
    languages: { main: 'ja', sub: ['en'] },
    keys: [{ key: 'published-key', reads: 'published' }],
    models: SEED_MODELS,
    media: [
      { id: 900, file: 'a.jpg', alt },
      { id: 901, file: 'b.jpg', alt: {} },
      { id: 902, file: 'c.jpg', alt },
    ],
    contents: [...items.values()],
  };
  return { seed, planted };
}
