import { quotedInAstro } from '../space-file/code-literals.ts';

/** `layouts/Page.astro` */
export function layout(lang: string, name: string): string {
  return `---
interface Props {
  title: string;
  lang?: string;
  /** The same page in other languages. */
  links?: { lang: string; href: string }[];
}
const { title, lang = ${quotedInAstro(lang)}, links = [] } = Astro.props;
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
      <a href="/">{${quotedInAstro(name)}}</a>
      <nav>
        {
          links.length > 1 &&
            links.map((link) => (
              <a href={link.href} lang={link.lang} aria-current={link.lang === lang ? 'true' : undefined}>
                {link.lang}
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
    max-width: 60rem;
    margin: 0 auto;
    padding: 0 1.5rem 4rem;
    font: 1.0625rem / 1.75 system-ui, sans-serif;
  }
  a {
    color: inherit;
  }
  img {
    max-width: 100%;
    height: auto;
    border-radius: 0.5rem;
  }
  header {
    display: flex;
    justify-content: space-between;
    margin-bottom: 2rem;
    padding: 1.25rem 0;
    border-bottom: 1px solid var(--line);
  }
  header a {
    font-weight: 600;
    text-decoration: none;
  }
  nav a {
    margin-left: 1rem;
    color: var(--quiet);
  }
  nav a[aria-current] {
    color: inherit;
  }
  article {
    max-width: 46rem;
    margin: 0 auto;
  }
  h1 {
    line-height: 1.25;
    margin: 0;
  }
  time,
  .lead,
  .entries p {
    color: var(--quiet);
  }
  .entries {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr));
    gap: 2rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .entries a {
    text-decoration: none;
  }
  .entries img {
    width: 100%;
    aspect-ratio: 8 / 5;
    object-fit: cover;
  }
  .entries h2 {
    margin: 0.5rem 0 0.25rem;
    font-size: 1.2rem;
    line-height: 1.35;
  }
  .entries p {
    display: -webkit-box;
    margin: 0;
    overflow: hidden;
    font-size: 0.9375rem;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
  }
</style>
`;
}
