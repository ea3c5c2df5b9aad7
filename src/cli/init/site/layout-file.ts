/** `layouts/Page.astro` of a new site. */
export const LAYOUT = `---
import { homeUrl, langs, listUrl, mainLang, name, sections } from '../site.ts';

interface Props {
  title: string;
  lang?: string;
  /** The same page in other languages. */
  links?: { lang: string; href: string }[];
}
const { title, lang = mainLang } = Astro.props;
const links = (Astro.props.links ?? []).toSorted((a, b) => langs.indexOf(a.lang) - langs.indexOf(b.lang));
const { pathname } = Astro.url;
const lists = Object.values(sections)
  .filter((section) => section.langs.includes(lang))
  .map((section) => ({ title: section.title, href: listUrl(section, lang) }));
---

<!doctype html>
<html lang={lang}>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>{title}</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <header>
      <a class="name" href={homeUrl(lang)}>{name}</a>
      {
        links.length > 1 && (
          <nav>
            {links.map((link) => (
              <a href={link.href} lang={link.lang} aria-current={link.lang === lang ? 'true' : undefined}>
                {link.lang}
              </a>
            ))}
          </nav>
        )
      }
      <nav class="lists">
        {
          lists.map((list) => (
            <a href={list.href} aria-current={pathname.startsWith(list.href) ? 'true' : undefined}>
              {list.title}
            </a>
          ))
        }
      </nav>
    </header>
    <main><slot /></main>
  </body>
</html>

<style is:global>
  :root {
    color-scheme: light dark;
    --line: light-dark(#e2e2e2, #3a3a3a);
    --quiet: light-dark(#666, #aaa);
  }
  * {
    box-sizing: border-box;
  }
  body {
    max-width: 64rem;
    margin: 0 auto;
    padding: 0 1.25rem 4rem;
    font: 1.0625rem / 1.75 system-ui, sans-serif;
    overflow-wrap: anywhere;
  }
  a {
    color: inherit;
    text-underline-offset: 0.2em;
  }
  img {
    max-width: 100%;
    height: auto;
    border-radius: 0.5rem;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    justify-content: space-between;
    margin-bottom: 2rem;
    padding: 1.25rem 0 1rem;
    border-bottom: 1px solid var(--line);
  }
  header .name {
    font-weight: 600;
  }
  header a {
    text-decoration: none;
  }
  nav {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1rem;
  }
  nav.lists {
    flex-basis: 100%;
  }
  nav a:not([aria-current]),
  nav span {
    color: var(--quiet);
  }
  nav.pages {
    justify-content: center;
    margin-top: 2.5rem;
  }
  nav.pages a {
    padding: 0 0.75rem;
    color: inherit;
    text-decoration: none;
  }
  nav.pages span:first-child,
  nav.pages span:last-child {
    padding: 0 0.75rem;
    opacity: 0.4;
  }
  article {
    max-width: 46rem;
    margin: 0 auto 3rem;
  }
  h1 {
    margin: 0 0 1rem;
    font-size: 1.9rem;
    line-height: 1.3;
  }
  article h1 {
    margin: 0;
  }
  .heading {
    margin: 2.5rem 0 1rem;
    font-size: 1.25rem;
  }
  .heading a {
    text-decoration: none;
  }
  time,
  .lead,
  .entries p {
    color: var(--quiet);
  }
  .lead,
  .field p {
    white-space: pre-line;
  }
  .field {
    display: grid;
    grid-template-columns: 9rem minmax(0, 1fr);
    gap: 0 1.5rem;
    padding: 0.75rem 0;
    border-top: 1px solid var(--line);
  }
  :not(.field) + .field {
    margin-top: 1.5rem;
  }
  .field h2 {
    margin: 0;
    color: var(--quiet);
    font-size: 0.9375rem;
    font-weight: normal;
  }
  .field p,
  .field ul {
    margin: 0;
    padding: 0;
  }
  .field ul {
    list-style: none;
  }
  .field li:has(img, p) + li {
    margin-top: 1rem;
  }
  .entries {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr));
    gap: 2rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .entries a {
    display: block;
    text-decoration: none;
  }
  .entries img {
    display: block;
    width: 100%;
    margin-bottom: 0.5rem;
    aspect-ratio: 8 / 5;
    object-fit: cover;
  }
  .entries strong {
    display: block;
    line-height: 1.4;
  }
  .entries p {
    display: -webkit-box;
    margin: 0.25rem 0 0;
    overflow: hidden;
    font-size: 0.9375rem;
    line-height: 1.6;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }
  @media (max-width: 40rem) {
    h1 {
      font-size: 1.5rem;
    }
    .field {
      grid-template-columns: 1fr;
    }
  }
</style>
`;
