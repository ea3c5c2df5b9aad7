import fc from 'fast-check';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { createSite, type Site } from '../../e2e/site.ts';
import { randomHtml } from '../../security/random-html.ts';
import { HTML_PAYLOADS } from '../../security/xss-payloads.ts';

/** Bodies by id, in the formats of their models. */
export const BODIES = {
  story: {
    plain: `<h2>Tides &amp; <em>time</em></h2>\n<p class=lead>See <a href="/a?x=1&amp;y=2" title='He said "hi"'>the <b>list</b></a>.</p>
<blockquote><h3>Quoted <a href="#tides">link</a></h3><p>text</p></blockquote>
<p>One<br>two<img src=a.jpg alt="" hidden>three<!-- a note --></p><pre>\n\n  a &lt; b\n    c\n</pre>
<table><tr><td>1<td>2</table><video controls muted src="v.mp4"></video>`,
    empty: '',
    article: `<h2>The <a href="/harbour">harbour</a></h2><p>See <a href="https://x.example/?a&amp;&quot; onclick=&quot;x">it</a>.</p>
<figure><img src="/a.svg" alt="A harbour" width="40" height="30"></figure><pre>\nconst a = 1;</pre>
<table><tr><th scope="col">Boat<th scope="col">Catch<tr><td>Umi<td>Squid</table>`,
    unclosed: '<p>a <b>b <i>c</b> d</i><p>e<h2>f<ul><li>g<li>h</ul></div>',
    raw: `<style>p > a { color: red }</style><script>if (1 < 2) "<a>"</script><template><a href="x">t</a></template>
<svg viewBox="0 0 1 1"><title>s</title><a href="#x"><path d="M0 0"/></a></svg><math><mi>x</mi></math><p><a>no href</a></p>`,
  },
  comment: {
    clean:
      '<h2>config</h2><p onclick="x">Hello <a href="javascript:x">you</a> <a href="#config">there</a></p><script>x</script>',
  },
  note: {
    markdown: `<h2>A <em>styled</em> <code>head</code> &amp; more</h2><p>Some <a href="https://x.example/?a=1&amp;b=2">link</a> and
<strong>bold</strong>.</p><h3>Second one</h3><h3>Second one</h3><pre><code class="language-js">const a = "&lt;b&gt;";\n</code></pre>
<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><a href="/two">2</a></td></tr></tbody></table>
<p><img src="https://x.example/a.png" alt="alt"></p>`,
  },
};

/** The title of a story, which is part of the head of its page. */
export const HOSTILE_TITLE =
  '</title></script><script>window.__pwned=1</script>"><img src=x onerror=window.__pwned=1><!--<script>';

/** Elements that components render as they are. */
export const SAME =
  'a abbr address article aside audio b bdi blockquote button caption center code col colgroup dd del details dfn div dl ' +
  'dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr i img input ins kbd label legend li ' +
  'listing main mark marquee nav nobr ol option p picture pre q s section select small source span strong sub ' +
  'summary sup table tbody td textarea tfoot th thead time tr u ul video wbr x-a br';
const VOID = new Set('br col hr img input source wbr'.split(' '));

export const RANDOM_TEXTS = 1000;

/** HTML that is rendered with components, and read by a browser. */
export const HOSTILE: readonly string[] = [
  ...HTML_PAYLOADS,
  '<a href="https://x.example/?a&amp;&quot; onmouseover=&quot;window.__pwned=1">url</a>',
  `<a title="&quot;><script>window.__pwned=1</script>" href='"onclick=window.__pwned=1 "'>x</a>`,
  '<a set:html="<img src=x onerror=window.__pwned=1>" set:text="a" class:list="b" is:raw define:vars="c">x</a>',
  '<a client:load client:only="react" server:defer server:component-directive="x" transition:name="y">x</a>',
  '<a __proto__="x" constructor="y" children="<b>" key="k" ref="r" slot="s" class="c">x</a>',
  '<<b>img src=x onerror=window.__pwned=1></b>',
  '&lt<b>img src=x onerror=window.__pwned=1&gt;</b>',
  '&am<b>p;lt;script&gt;</b>',
  '<a "="x" \'=y <=z `="w">x</a>',
  '<pre>\n\nfirst</pre><pre>&#10;x</pre><pre>\n&#10;y</pre><textarea>\n\n</textarea>&lt;b></textarea>',
  '<table><a href="x">foster</a><tr><td><table><b>n</table></table>',
  '<p><a href=1><p><a href=2>x</a></p>',
  '<svg><a class="s"><foreignObject><a href="#y">in</a></foreignObject></a><style><a></style></svg>',
  '<select><option>a<option>b</select><button><p>c</button>',
  `${'<b><i>'.repeat(30)}deep${'</i></b>'.repeat(30)}`,
  `${'<blockquote>'.repeat(500)}deeper`,
  ...fc.sample(randomHtml, { numRuns: RANDOM_TEXTS, seed: 2026 }),
];

const seed = {
  keys: [{ key: 'published', reads: 'published' }],
  models: {
    story: { slug: { type: 'text' }, title: { type: 'text', title: true }, body: { type: 'flexible_text' } },
    comment: { slug: { type: 'text' }, body: { type: 'flexible_text' } },
    note: { slug: { type: 'text' }, body: { type: 'flexible_text' } },
  },
  contents: Object.entries(BODIES).flatMap(([model, bodies], at) =>
    Object.entries(bodies).map(([slug, body], index) => ({
      id: at * 100 + index + 1,
      model,
      created_at: '2026-01-01T00:00:00Z',
      published: { ja: { slug, body, ...(model === 'story' && { title: HOSTILE_TITLE }) } },
    })),
  ),
};

const FILES = {
  'astro.config.mjs': `
    import node from '@astrojs/node';
    import luid from 'astro-luid/integration';
    import { space } from './src/space.ts';
    export default { site: 'https://site.example', adapter: node({ mode: 'standalone' }), integrations: [luid(space)] };`,
  'src/space.ts': `
    import { defineSpace, field } from 'astro-luid';
    const slug = field.text();
    export const space = defineSpace({ models: {
      story: { slug, title: field.text({ title: true }), body: field.flexibleText() },
      comment: { slug, body: field.flexibleText({ sanitize: true }) },
      note: { slug, body: field.flexibleText({ format: 'markdown' }) },
    } });`,
  'src/content.config.ts': `
    import { defineCollection } from 'astro:content';
    import { space } from './space.ts';
    const options = { id: 'slug', body: 'body' } as const;
    export const collections = {
      story: defineCollection({ loader: space.loader('story', options) }),
      comment: defineCollection({ loader: space.loader('comment', options) }),
      note: defineCollection({ loader: space.loader('note', options) }),
    };`,
  'src/live.config.ts': `
    import { defineLiveCollection } from 'astro:content';
    import { space } from './space.ts';
    const options = { id: 'slug', body: 'body' } as const;
    export const collections = {
      liveStory: defineLiveCollection({ loader: space.liveLoader('story', options) }),
      liveComment: defineLiveCollection({ loader: space.liveLoader('comment', options) }),
    };`,
  'src/components/Link.astro': `---
    import type { RichTextProps } from 'astro-luid/components';
    type Props = RichTextProps<'a'>;
    const { href, ...rest } = Astro.props;
    ---
    <x-link to={href} {...rest}><slot /></x-link>`,
  'src/components/Heading.astro': '<header class="heading" {...Astro.props}><slot /></header>',
  'src/components/Quote.astro': '---\n---\n\n<figure><slot /></figure>\n\n',
  'src/components/Picture.astro': '<x-image data-slot={Astro.slots.has("default")} {...Astro.props} />',
  'src/components/Code.astro': `---
    const html = await Astro.slots.render('default');
    ---
    <x-code text={html} />`,
  'src/components/Props.astro':
    '<x-props data-props={JSON.stringify(Astro.props)} data-slot={String(Astro.slots.has("default"))} />',
  'src/components/mapped.ts': `
    import type { RichTextComponents } from 'astro-luid/components';
    import Code from './Code.astro';
    import Heading from './Heading.astro';
    import Link from './Link.astro';
    import Picture from './Picture.astro';
    import Quote from './Quote.astro';
    export const mapped: RichTextComponents = {
      a: Link, h2: Heading, h3: Heading, blockquote: Quote, img: Picture, pre: Code,
    };`,
  // Everything that a test compares is the whole body of a response.
  'src/pages/[way]/[model]/[id].astro': `---
    import { getCollection, render } from 'astro:content';
    import { RichText } from 'astro-luid/components';
    import { mapped } from '../../../components/mapped.ts';
    export const partial = true;
    export async function getStaticPaths() {
      const entries = (await Promise.all(['story', 'comment', 'note'].map((one) => getCollection(one as 'story')))).flat();
      return ['content', 'entry', 'html', 'mapped'].flatMap((way) =>
        entries.map((entry) => ({ params: { way, model: entry.collection, id: entry.id }, props: { entry } })));
    }
    const { way } = Astro.params;
    const { entry } = Astro.props;
    const model: string = Astro.params.model;
    const { Content } = await render(entry);
    const html = model === 'note' ? entry.rendered?.html : entry.data.body;
    ---
    {way === 'content' ? <Content /> : way === 'entry' ? <RichText {entry} /> : way === 'html' ? <RichText {html} sanitized={model === 'comment'} components={{}} /> : <RichText {entry} components={mapped} />}`,
  'src/pages/full/[id].astro': `---
    import { type CollectionEntry, getCollection } from 'astro:content';
    import { LuidSeo, RichText } from 'astro-luid/components';
    import A from '../../same/a.astro';
    import H2 from '../../same/h2.astro';
    import Img from '../../same/img.astro';
    import Pre from '../../same/pre.astro';
    import Table from '../../same/table.astro';
    export async function getStaticPaths() {
      return (await getCollection('story')).map((entry) => ({ params: { id: entry.id }, props: { entry } }));
    }
    interface Props { entry: CollectionEntry<'story'> }
    const { entry } = Astro.props;
    ---
    <!doctype html>
    <html lang="en">
      <head><meta charset="utf-8" /><LuidSeo {entry} siteName={entry.data.title} langs={['en', 'de']} urlOf={(lang) => '/' + lang + '/"><script>'} /></head>
      <body><main><h1>Story</h1><RichText {entry} components={{ a: A, h2: H2, img: Img, pre: Pre, table: Table }} /></main></body>
    </html>`,
  'src/pages/headings.json.ts': `
    import { getCollection, render } from 'astro:content';
    import { headingsOf } from 'astro-luid/components';
    export async function GET() {
      const entries = (await Promise.all((['story', 'comment', 'note'] as const).map((one) => getCollection(one)))).flat();
      const found = entries.map(async (entry) => [entry.id, {
        render: (await render(entry)).headings,
        entry: headingsOf(entry),
        html: headingsOf(entry.collection === 'note' ? entry.rendered?.html ?? '' : entry.data.body, { sanitized: entry.collection === 'comment' }),
      }]);
      return Response.json(Object.fromEntries(await Promise.all(found)));
    }`,
  'src/pages/live/[way]/[id].astro': `---
    import { getLiveEntry, render } from 'astro:content';
    import { RichText } from 'astro-luid/components';
    import { mapped } from '../../../components/mapped.ts';
    export const prerender = false;
    export const partial = true;
    const { way, id = '' } = Astro.params;
    const { entry, error } = await getLiveEntry(id === 'clean' ? 'liveComment' : 'liveStory', id);
    if (!entry) return new Response(String(error), { status: 502 });
    const { Content } = await render(entry);
    ---
    {way === 'content' ? <Content /> : <RichText {entry} components={way === 'mapped' ? mapped : undefined} />}`,
  ...Object.fromEntries(
    SAME.split(' ').map((name) => [
      `src/same/${name}.astro`,
      VOID.has(name) ? `<${name} {...Astro.props} />` : `<${name} {...Astro.props}><slot /></${name}>`,
    ]),
  ),
  'src/hostile.json': JSON.stringify(HOSTILE),
  'src/pages/hostile.json.ts': `
    import { experimental_AstroContainer as AstroContainer } from 'astro/container';
    import { RichText } from 'astro-luid/components';
    import Bare from '../components/Bare.astro';
    import texts from '../hostile.json';
    import Props from '../components/Props.astro';
    const files = import.meta.glob('../same/*.astro', { eager: true, import: 'default' });
    const same = Object.fromEntries(Object.entries(files).map(([file, component]) => [file.slice(8, -6), component]));
    const all = (component: unknown) => Object.fromEntries(Object.keys(same).map((name) => [name, component]));
    const bare = all(Bare);
    const props = { a: Props, b: Props, img: Props, 'x-a': Props, video: Props };
    export async function GET() {
      const container = await AstroContainer.create();
      const render = (html: string, components?: object) => container.renderToString(RichText, { props: { html, components } });
      const results = [];
      for (const html of texts) {
        results.push({ content: await render(html), same: await render(html, same), bare: await render(html, bare), props: await render(html, props) });
      }
      return Response.json(results);
    }`,
  'src/pages/typo.json.ts': `
    import { experimental_AstroContainer as AstroContainer } from 'astro/container';
    import { RichText } from 'astro-luid/components';
    import Heading from '../components/Heading.astro';
    export async function GET() {
      const container = await AstroContainer.create();
      const props = { html: '<p>x</p>', components: { heading2: Heading } };
      const error = await container.renderToString(RichText, { props }).then(() => new Error('none'), (error: Error) => error);
      return Response.json({ name: error.name, message: error.message });
    }`,
  // Renders only what it is given, so that text is next to text of another element.
  'src/components/Bare.astro': '<slot />',
  'src/types.ts': `
    import type { RichTextComponents, RichTextProps } from 'astro-luid/components';
    import Heading from './components/Heading.astro';
    import Link from './components/Link.astro';
    import Needy from './components/Needy.astro';
    import Own from './components/Own.astro';
    import Sized from './components/Sized.astro';
    export const right: RichTextComponents = { a: Link, h2: Heading, img: Own, 'x-a': Heading };
    // @ts-expect-error: it requires a prop that no attribute is
    export const needy: RichTextComponents = { a: Needy };
    // @ts-expect-error: it takes a number, and attributes are strings
    export const sized: RichTextComponents = { img: Sized };
    // @ts-expect-error: a typo
    export const typo: RichTextComponents = { heading2: Heading };
    // @ts-expect-error: a script is not rendered by a component
    export const script: RichTextComponents = { script: Heading };
    export const href: string | undefined = ({} as RichTextProps<'a'>).href;
    export const controls: string | true | undefined = ({} as RichTextProps<'video'>).controls;
    // @ts-expect-error: a paragraph has no href
    export const none = ({} as RichTextProps<'p'>).href;`,
  'src/components/Needy.astro': '---\ninterface Props { level: number }\n---\n<b>{Astro.props.level}</b>',
  'src/components/Sized.astro': '---\ninterface Props { width?: number }\n---\n<b>{Astro.props.width}</b>',
  'src/components/Own.astro':
    '---\nimport type { HTMLAttributes } from "astro/types";\ntype Props = HTMLAttributes<"img">;\n---\n<img {...Astro.props} />',
};

/** One build for all tests of components: text, head and feeds. */
export async function buildComponentSite(
  more: Record<string, string> = {},
): Promise<{ site: Site; service: RunningEmulator; log: string }> {
  const service = await startEmulator(seed, { directory: '.', rateLimit: false });
  const env = {
    LUID_BASE_URL: service.baseUrl,
    LUID_ASSETS_URL: service.assetsUrl,
    LUID_API_KEY: 'published',
  };
  const packages = [
    '@astrojs/check',
    '@astrojs/node',
    'parse5',
    'hast-util-sanitize',
    'p-limit',
    'p-retry',
    'unstorage',
  ];
  const site = createSite({ ...FILES, ...more }, env, packages);
  const log = await site.astro(['build']);
  return { site, service, log };
}
