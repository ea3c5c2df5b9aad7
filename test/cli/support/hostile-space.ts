import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';

/** What a service that means harm, or somebody before it, may send. */
export interface HostileSpace {
  readonly title: string;
  readonly options: readonly string[];
  readonly tags: readonly string[];
  readonly mediaPath: string;
  readonly alt: string;
  /** A field that is called so, beside good ones. */
  readonly fieldName: string;
  readonly setName: string;
  readonly lang: string;
  readonly model: string;
}

export const HARMLESS_SPACE: HostileSpace = {
  title: 'A',
  options: ['a', 'b'],
  tags: ['c'],
  mediaPath: 'm',
  alt: 'd',
  fieldName: 'e',
  setName: 'f',
  lang: 'en',
  model: 'note',
};

/** Attacks by name, and whether files are written anyway, with what was sent as data. */
export const ATTACKS: [string, Partial<HostileSpace>, isWritten: boolean][] = [
  ['a field name that ends its comment', { fieldName: 'a\nprocess.exit(9)//' }, false],
  [
    'options with a line separator',
    { options: ['a\u2028process.exit(9)//', 'b\u2029process.exit(9)//'] },
    true,
  ],
  ['a block comment that ends', { tags: ['*/process.exit(9)/*'], title: '*/process.exit(9)/*' }, true],
  [
    'a media URL with lines for .env',
    { mediaPath: '\nGITHUB_API_URL=http://a.test\nNODE_OPTIONS=--require=/x' },
    true,
  ],
  ['a media URL with every quote', { mediaPath: `'"\`\nGITHUB_API_URL=http://a.test\n` }, true],
  ['a media URL that is expanded', { mediaPath: '$HOME/$' + '{LUID_API_KEY}' }, true],
  ['a language that is code', { lang: "en'];process.exit(9);//" }, false],
  ['a model that is a path', { model: '../../x' }, false],
];

const FRAGMENTS = [
  '\n',
  '\r\n',
  '\u2028',
  '\u2029',
  '\u0085',
  '*/',
  '/*',
  '//',
  '$' + '{process.exit(9)}',
  '`',
  "'",
  '"',
  '\\',
  '\\u000a',
  '</script>',
  '\n---\n',
  '---',
  '\0',
  '\u001b[2J',
  '\u202e',
  '\ud800',
  '\udc00',
  "'];process.exit(9);//",
  '\nNODE_OPTIONS=--require=/tmp/x',
  '#',
  '$HOME',
  '=',
  '{',
  '}',
  '__proto__',
  '::add-mask::x',
];

/** Strings over all of Unicode, halves of surrogate pairs among them, and what ends literals, comments and lines. */
export const hostileString: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...FRAGMENTS) },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) },
      { weight: 1, arbitrary: fc.constantFrom('a', 'news', ' ', '日本') },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(''));

const luid = fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/);
/** Mostly good, for otherwise nothing would ever be written. */
const mostly = (good: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 14, arbitrary: good }, { weight: 1, arbitrary: hostileString });

export const hostileSpace: fc.Arbitrary<HostileSpace> = fc.record({
  title: hostileString,
  options: fc.uniqueArray(hostileString, { minLength: 2, maxLength: 4 }),
  tags: fc.uniqueArray(hostileString, { minLength: 1, maxLength: 4 }),
  mediaPath: hostileString,
  alt: hostileString,
  fieldName: mostly(luid),
  setName: mostly(luid),
  lang: mostly(fc.constantFrom('en', 'zh-Hant', '---')),
  model: mostly(fc.constantFrom('note', '_hidden', 'constructor', '__proto__', '3d')),
});

export interface HostileService {
  /** Where a space is served, under any further path. */
  serve(id: string, space: HostileSpace): string;
  close(): void;
}

/** Serves spaces without looking at keys or filters. */
export async function startHostileService(): Promise<HostileService> {
  const spaces = new Map<string, HostileSpace>();
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const [, id = ''] = url.pathname.split('/');
    const space = spaces.get(id);
    const [, single] = /\/contents\/(\d+)$/.exec(url.pathname) ?? [];
    const items = space ? itemsOf(space, url.searchParams.get('lang') !== null) : [];
    const number = (name: string, other: number) => Number(url.searchParams.get(name) ?? other);
    const [offset, limit] = [number('offset', 0), number('limit', 100)];
    const list = { total: items.length, offset, limit, data: items.slice(offset, offset + limit) };
    const one = items.find(({ _id }) => String(_id) === single);
    const body = single ? { ...one, _langs: { current: 'ja', available: ['ja', space?.lang] } } : list;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    serve(id, space) {
      spaces.clear();
      spaces.set(id, space);
      return `http://127.0.0.1:${port}/${id}`;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const ITEMS = 14;

function itemsOf(space: HostileSpace, isTranslated: boolean): Record<string, unknown>[] {
  return Array.from({ length: isTranslated ? 1 : ITEMS }, (_, index) => ({
    _id: 100 + index,
    _model: space.model,
    _title: `${space.title}${index}`,
    _status: 'published',
    _created_at: '2026-01-01T00:00:00Z',
    _updated_at: '2026-01-01T00:00:00Z',
    _published_at: '2026-01-01T00:00:00Z',
    _last_published_at: '2026-01-01T00:00:00Z',
    title: `${space.title}${index}`,
    kind: space.options[index % space.options.length],
    tags: space.tags,
    // Seen too rarely to be options: they are named in a comment.
    rare: index === 0 ? [...space.options, ...space.tags] : [],
    text: `${space.alt}\n${index}`,
    slug: `s-${index}`,
    // Absolute, with whatever a URL parser lets pass.
    cover: { url: `http://assets.test/${space.mediaPath}/${index}/a.jpg`, alt: space.alt },
    blocks: [{ luid: space.setName, fields: { quote: space.title, [space.fieldName]: space.alt } }],
    group: { [space.fieldName]: space.title },
  }));
}
