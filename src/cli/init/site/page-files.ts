import { propertyAccess, quotedInAstro } from '../space-file/code-literals.ts';
import type { Section } from './sections.ts';
import { labelOf } from './settings-file.ts';

/** `[...page].astro`: the entries of a model, some per page. */
export function listPage({ model, langs }: Section): string {
  const section = `sections${propertyAccess(model)}`;
  const paths = langs
    ? `export const getStaticPaths = (async ({ paginate }) => {
  const lists = await Promise.all(
    ${section}.langs.map(async (lang) =>
      paginate(await contentsOf(${quotedInAstro(model)}, lang), { params: { lang }, props: { lang }, pageSize: 12 }),
    ),
  );
  return lists.flat();
}) satisfies GetStaticPaths;

interface Props {
  page: PageOfList<Content>;
  lang: string;
}
const { page, lang } = Astro.props;`
    : `export const getStaticPaths = (async ({ paginate }) =>
  paginate(await contentsOf(${quotedInAstro(model)}, lang), { pageSize: 12 })) satisfies GetStaticPaths;

interface Props {
  page: PageOfList<Content>;
}
const { page } = Astro.props;`;
  const links = langs
    ? ' links={section.langs.map((other) => ({ lang: other, href: listUrl(section, other) }))}'
    : '';
  const names = ['type Content', 'contentsOf', ...(langs ? ['listUrl'] : ['mainLang as lang']), 'sections'];
  const up = upFrom(langs);
  return `---
import type { GetStaticPaths, Page as PageOfList } from 'astro';
import EntryList from '${up}/components/EntryList.astro';
import Pagination from '${up}/components/Pagination.astro';
import Page from '${up}/layouts/Page.astro';
import { ${names.join(', ')} } from '${up}/site.ts';

${paths}
const section = ${section};
---

<Page title={section.title} lang={lang}${links}>
  <h1>{section.title}</h1>
  <EntryList contents={page.data} lang={lang} />
  <Pagination page={page} />
</Page>
`;
}

/** `[id].astro`: the page of an entry, with links to its translations, and to what refers to it. */
export function entryPage({ model, image, lead, body, langs, fields, backlinks }: Section): string {
  const up = upFrom(langs);
  const collection = quotedInAstro(model);
  const hasBody = body !== undefined;
  const names = ['dateOf', 'formatDate', 'idOf', ...(langs ? [] : ['mainLang as lang']), 'titleOf'];
  if (langs) names.push('urlOf');
  if (backlinks.length > 0) names.push('sections');
  const imports = [
    `import { type CollectionEntry, getCollection${hasBody ? ', render' : ''} } from 'astro:content';`,
    image && "import { LuidImage } from 'astro-luid/components';",
    backlinks.length > 0 && `import EntryList from '${up}/components/EntryList.astro';`,
    fields.length > 0 && `import Field from '${up}/components/Field.astro';`,
    `import Page from '${up}/layouts/Page.astro';`,
    `import { ${names.sort().join(', ')} } from '${up}/site.ts';`,
  ].filter(Boolean);
  const paths = langs
    ? `  const translations = Map.groupBy(entries, ({ data }) => data._id);
  return entries.map((entry) => ({
    params: { lang: entry.data._lang, id: idOf(entry.data) },
    props: { entry, translations: translations.get(entry.data._id) ?? [] },
  }));`
    : '  return entries.map((entry) => ({ params: { id: idOf(entry.data) }, props: { entry } }));';
  const links = langs
    ? " links={translations.map((other) => ({ lang: other.data._lang, href: urlOf(other.data, other.data._lang) ?? '' }))}"
    : '';
  const parts = [
    '    <h1>{titleOf(data)}</h1>',
    '    <time datetime={date.toISOString()}>{formatDate(date)}</time>',
    lead && `    <p class="lead">{data${propertyAccess(lead)}}</p>`,
    image && `    <LuidImage media={data${propertyAccess(image)}} width={736} priority />`,
    hasBody && '    <Content />',
    ...fields.map(({ luid, html }) => {
      const paths = html.length > 0 ? ` html={[${html.map(quotedInAstro).join(', ')}]}` : '';
      return `    <Field label="${labelOf(luid)}" value={data${propertyAccess(luid)}} lang={lang}${paths} />`;
    }),
  ].filter(Boolean);
  const lists = backlinks.map(
    ({ name, from }) =>
      `  <EntryList title={sections${propertyAccess(from)}.title} contents={data${propertyAccess(name)}} lang={lang} />\n`,
  );
  return `---
${imports.join('\n')}

export async function getStaticPaths() {
  const entries = await getCollection(${collection});
${paths}
}

interface Props {
  entry: CollectionEntry<${collection}>;
${langs ? `  translations: CollectionEntry<${collection}>[];\n` : ''}}
const { entry${langs ? ', translations' : ''} } = Astro.props;
const { data } = entry;
${langs ? 'const lang = data._lang;\n' : ''}const date = dateOf(data);
${hasBody ? 'const { Content } = await render(entry);\n' : ''}---

<Page title={titleOf(data)} lang={lang}${links}>
  <article>
${parts.join('\n')}
  </article>
${lists.join('')}</Page>
`;
}

function upFrom(langs: Section['langs']): string {
  return langs ? '../../..' : '../..';
}

/** A page per entry that needs nothing else: for an existing site, which has a layout of its own. */
export function standalonePage({ model, image, body }: Pick<Section, 'model' | 'image' | 'body'>): string {
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
