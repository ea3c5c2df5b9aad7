import { propertyAccess, quoted, quotedInAstro } from '../space-file/code-literals.ts';

/** The model that a new site displays. */
export interface SiteModel {
  readonly model: string;
  /** The folder of its pages. */
  readonly folder: string;
  readonly body: string | undefined;
  /** LUIDs of its image field and of its short text field. */
  readonly image: string | undefined;
  readonly lead: string | undefined;
  readonly langs: readonly string[] | undefined;
}

/** `urls.ts` */
export function urls({ model, folder, langs }: SiteModel): string {
  const path = langs
    ? `\`/\${entry.data._lang}/${folder}/\${idIn(entry)}/\``
    : `\`/${folder}/\${entry.id}/\``;
  const idIn = `
/** The id without its language: \`ja/harbour\` is \`harbour\` in Japanese. */
export function idIn({ id, data }: Entry): string {
  return id.slice(data._lang.length + 1);
}
`;
  return `import type { CollectionEntry } from 'astro:content';

type Entry = CollectionEntry<${quoted(model)}>;

/** The URL of an entry's page. */
export function urlOf(entry: Entry): string {
  return ${path};
}
${langs ? idIn : ''}`;
}

/** `components/EntryList.astro` */
export function entryList({ model, image, lead }: SiteModel): string {
  const inner = [
    image && `          <LuidImage media={entry.data${propertyAccess(image)}} width={640} height={400} />`,
    '          <h2>{entry.data._title || entry.id}</h2>',
    lead && `          <p>{entry.data${propertyAccess(lead)}}</p>`,
  ].filter(Boolean);
  return `---
import type { CollectionEntry } from 'astro:content';
${image === undefined ? '' : "import { LuidImage } from 'astro-luid/components';\n"}import { urlOf } from '../urls.ts';

interface Props {
  entries: CollectionEntry<${quotedInAstro(model)}>[];
}
const dateOf = ({ data }: Props['entries'][number]) => Number(data._published_at ?? data._created_at);
const entries = Astro.props.entries.toSorted((a, b) => dateOf(b) - dateOf(a));
---

<ul class="entries">
  {
    entries.map((entry) => (
      <li>
        <a href={urlOf(entry)}>
${inner.join('\n')}
        </a>
      </li>
    ))
  }
</ul>
`;
}

/** `pages/index.astro`: the list, in the main language if there are several. */
export function indexPage({ model, langs }: SiteModel, name: string): string {
  const [main] = langs ?? [];
  if (main === undefined) {
    return `---
import { getCollection } from 'astro:content';
import EntryList from '../components/EntryList.astro';
import Page from '../layouts/Page.astro';

const entries = await getCollection(${quotedInAstro(model)});
---

<Page title={${quotedInAstro(name)}}>
  <EntryList entries={entries} />
</Page>
`;
  }
  return `---
import { getCollection } from 'astro:content';
import EntryList from '../components/EntryList.astro';
import Page from '../layouts/Page.astro';

const lang = ${quotedInAstro(main)};
const entries = await getCollection(${quotedInAstro(model)});
const langs = [...new Set(entries.map(({ data }) => data._lang))];
---

<Page title={${quotedInAstro(name)}} lang={lang} links={langs.map((other) => ({ lang: other, href: \`/\${other}/\` }))}>
  <EntryList entries={entries.filter(({ data }) => data._lang === lang)} />
</Page>
`;
}

/** `pages/[lang]/index.astro`: the list in each language. */
export function languagePage({ model }: SiteModel, name: string): string {
  return `---
import { type CollectionEntry, getCollection } from 'astro:content';
import EntryList from '../../components/EntryList.astro';
import Page from '../../layouts/Page.astro';

export async function getStaticPaths() {
  const entries = await getCollection(${quotedInAstro(model)});
  const langs = [...new Set(entries.map(({ data }) => data._lang))];
  return langs.map((lang) => ({
    params: { lang },
    props: { lang, langs, entries: entries.filter(({ data }) => data._lang === lang) },
  }));
}

interface Props {
  lang: string;
  langs: string[];
  entries: CollectionEntry<${quotedInAstro(model)}>[];
}
const { lang, langs, entries } = Astro.props;
---

<Page title={${quotedInAstro(name)}} lang={lang} links={langs.map((other) => ({ lang: other, href: \`/\${other}/\` }))}>
  <EntryList entries={entries} />
</Page>
`;
}

/** A page per entry that needs nothing else: for an existing site, which has a layout of its own. */
export function standalonePage({ model, image, body }: Pick<SiteModel, 'model' | 'image' | 'body'>): string {
  const parts = [
    '    <h1>{entry.data._title}</h1>',
    image && `    <LuidImage media={entry.data${propertyAccess(image)}} width={720} />`,
    body !== undefined && '    <Content />',
  ].filter(Boolean);
  return `---
import { getCollection${body === undefined ? '' : ', render'} } from 'astro:content';
${image === undefined ? '' : "import { LuidImage } from 'astro-luid/components';\n"}
export async function getStaticPaths() {
  const entries = await getCollection(${quotedInAstro(model)});
  return entries.map((entry) => ({ params: { id: entry.id }, props: { entry } }));
}
const { entry } = Astro.props;
${body === undefined ? '' : 'const { Content } = await render(entry);\n'}---
<html>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>{entry.data._title}</title>
  </head>
  <body>
${parts.join('\n')}
  </body>
</html>
`;
}

/** The page of an entry, with links to its translations. */
export function entryPage({ model, image, lead, body, langs }: SiteModel): string {
  const up = langs ? '../../..' : '../..';
  const imports = [
    `import { type CollectionEntry, getCollection${body === undefined ? '' : ', render'} } from 'astro:content';`,
    image && "import { LuidImage } from 'astro-luid/components';",
    `import Page from '${up}/layouts/Page.astro';`,
    langs && `import { idIn, urlOf } from '${up}/urls.ts';`,
  ].filter(Boolean);
  const parts = [
    '    <h1>{entry.data._title}</h1>',
    '    <time datetime={date.toISOString()}>{date.toISOString().slice(0, 10)}</time>',
    lead && `    <p class="lead">{entry.data${propertyAccess(lead)}}</p>`,
    image && `    <LuidImage media={entry.data${propertyAccess(image)}} width={736} priority />`,
    body !== undefined && '    <Content />',
  ].filter(Boolean);
  const paths = langs
    ? `  return entries.map((entry) => ({
    params: { lang: entry.data._lang, id: idIn(entry) },
    props: { entry, translations: entries.filter(({ data }) => data._id === entry.data._id) },
  }));`
    : '  return entries.map((entry) => ({ params: { id: entry.id }, props: { entry } }));';
  const links = langs
    ? ' lang={entry.data._lang} links={translations.map((other) => ({ lang: other.data._lang, href: urlOf(other) }))}'
    : '';
  return `---
${imports.join('\n')}

export async function getStaticPaths() {
  const entries = await getCollection(${quotedInAstro(model)});
${paths}
}

interface Props {
  entry: CollectionEntry<${quotedInAstro(model)}>;
${langs ? `  translations: CollectionEntry<${quotedInAstro(model)}>[];\n` : ''}}
const { entry${langs ? ', translations' : ''} } = Astro.props;
const date = entry.data._published_at ?? entry.data._created_at;
${body === undefined ? '' : 'const { Content } = await render(entry);\n'}---

<Page title={entry.data._title}${links}>
  <article>
${parts.join('\n')}
  </article>
</Page>
`;
}
