// The components of a new site. They know nothing of its models.

export const ENTRY_LIST = `---
import { LuidImage } from 'astro-luid/components';
import { type Content, cardOf, urlOf } from '../site.ts';

interface Props {
  contents: readonly Content[];
  lang: string;
  /** A heading, and where it leads. */
  title?: string;
  href?: string;
}
const { contents, lang, title, href } = Astro.props;
const cards = contents.map((content) => ({ ...cardOf(content), url: urlOf(content, lang) }));
---

{title && cards.length > 0 && <h2 class="heading">{href ? <a href={href}>{title} →</a> : title}</h2>}
<ul class="entries">
  {
    cards.map((card) => (
      <li>
        <a href={card.url}>
          <LuidImage media={card.image} width={640} height={400} />
          <strong>{card.title}</strong>
          {card.lead && <p>{card.lead}</p>}
        </a>
      </li>
    ))
  }
</ul>
`;

export const FIELD = `---
import { isShown } from '../site.ts';
import Value from './Value.astro';

interface Props {
  label: string;
  value: unknown;
  lang: string;
  /** The paths of formatted texts in the value. */
  html?: readonly string[];
}
const { label, ...rest } = Astro.props;
---

{
  isShown(rest.value) && (
    <section class="field">
      <h2>{label}</h2>
      <div><Value {...rest} /></div>
    </section>
  )
}
`;

export const VALUE = `---
import { LuidImage } from 'astro-luid/components';
import type { Media } from 'astro-luid';
import { formatDate, isContent, isRecord, isShown, titleOf, urlOf } from '../site.ts';

interface Props {
  value: unknown;
  lang: string;
  /** The paths of formatted texts, and that of the value. */
  html?: readonly string[];
  path?: string;
}
const { value, lang, html = [], path = '' } = Astro.props;
const isMedia = isRecord(value) && typeof value.url === 'string' && 'alt' in value;
const isBlock = isRecord(value) && typeof value.luid === 'string' && isRecord(value.fields);
const group = isRecord(value) && !isContent(value) && !isMedia ? (isBlock ? value.fields : value) : {};
const inside = (name: string) => [path, isBlock && value.luid, name].filter(Boolean).join('.');
const items: unknown[] = Array.isArray(value) ? value.filter(isShown) : [];
const texts = items.filter((item) => typeof item === 'string');
---

{value instanceof Date && <time datetime={value.toISOString()}>{formatDate(value, 'short')}</time>}
{typeof value === 'string' && (html.includes(path) ? <Fragment set:html={value} /> : <p>{value}</p>)}
{isContent(value) && <a href={urlOf(value, lang)}>{titleOf(value)}</a>}
{isMedia && <LuidImage media={value as unknown as Media} width={640} />}
{texts.length > 0 && <p>{texts.join(', ')}</p>}
{
  items.length > texts.length && (
    <ul>
      {items.map((item) => (
        <li>
          <Astro.self value={item} lang={lang} html={html} path={path} />
        </li>
      ))}
    </ul>
  )
}
{
  Object.entries(group as object).map(([name, inner]) => (
    <Astro.self value={inner} lang={lang} html={html} path={inside(name)} />
  ))
}
`;

export const HOME = `---
import type { CollectionKey } from 'astro:content';
import Page from '../layouts/Page.astro';
import { contentsOf, homeUrl, langs, listUrl, name, sections } from '../site.ts';
import EntryList from './EntryList.astro';

interface Props {
  lang: string;
}
const { lang } = Astro.props;
const shown = Object.entries(sections).filter(([, section]) => section.langs.includes(lang));
const lists = await Promise.all(
  shown.map(async ([model, section]) => ({
    title: section.title,
    href: listUrl(section, lang),
    contents: (await contentsOf(model as CollectionKey, lang)).slice(0, 3),
  })),
);
---

<Page title={name} lang={lang} links={langs.map((other) => ({ lang: other, href: homeUrl(other) }))}>
  {lists.map((list) => <EntryList {...list} lang={lang} />)}
</Page>
`;

export const PAGINATION = `---
import type { Page } from 'astro';

interface Props {
  page: Page;
}
const { currentPage, lastPage, url } = Astro.props.page;
---

{
  lastPage > 1 && (
    <nav class="pages">
      {url.prev ? <a href={url.prev} rel="prev">←</a> : <span>←</span>}
      <span>
        {currentPage} / {lastPage}
      </span>
      {url.next ? <a href={url.next} rel="next">→</a> : <span>→</span>}
    </nav>
  )
}
`;
