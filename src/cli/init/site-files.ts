import type { Inferred } from '../infer/infer.ts';
import type { Survey } from '../survey/survey.ts';
import { propertyAccess, propertyName, quoted } from './code.ts';

/** `src/content.config.ts`: a collection for each model, called like it. */
export function contentConfig({ models }: Inferred): string {
  const lines = Object.keys(models).map((model) => {
    const body = bodyOf(models, model);
    const options = body === undefined ? '' : `, { body: ${quoted(body)} }`;
    return `  ${propertyName(model)}: defineCollection({ loader: space.loader(${quoted(model)}${options}) }),`;
  });
  return `import { defineCollection } from 'astro:content';
import { space } from './space.ts';

export const collections = {
${lines.join('\n')}
};
`;
}

/** The flexible text that a page of an entry is made of: the one called so, or the first. */
function bodyOf(models: Inferred['models'], model: string): string | undefined {
  const texts = Object.entries(models[model] ?? {}).filter(([, { type }]) => type === 'flexible_text');
  return (texts.find(([luid]) => luid === 'body') ?? texts[0])?.[0];
}

export interface SiteFacts {
  /** The folder's name. */
  readonly name: string;
  /** Versions of this package and of Astro that go together. */
  readonly versions: { readonly luid: string; readonly astro: string };
}

/** What an empty folder gets beside the space: a site of an index and a page for each entry of the largest model. */
export function siteFiles(
  { models }: Inferred,
  { models: surveyed, languages }: Pick<Survey, 'models' | 'languages'>,
  { name, versions }: SiteFacts,
): Record<string, string> {
  const [largest = ''] = surveyed
    .toSorted((a, b) => b.total - a.total)
    .map((model) => model.name)
    .filter((model) => Object.hasOwn(models, model));
  // Astro passes over pages in folders whose name starts so.
  const folder = largest.startsWith('_') ? 'entries' : largest;
  const [picture] = Object.entries(models[largest] ?? {}).find(([, { type }]) => type === 'media') ?? [];
  const body = bodyOf(models, largest);
  return {
    'package.json': packageJson(name, versions),
    'astro.config.mjs': ASTRO_CONFIG,
    'tsconfig.json': TSCONFIG,
    '.gitignore': GITIGNORE,
    'src/layouts/Page.astro': layout(languages?.main ?? 'en', name),
    'src/pages/index.astro': indexPage(largest, folder, name),
    [`src/pages/${folder}/[id].astro`]: entryPage(largest, picture, body),
  };
}

function packageJson(name: string, { luid, astro }: SiteFacts['versions']): string {
  const manifest = {
    name:
      name
        .toLowerCase()
        .replaceAll(/[^a-z0-9-]+/g, '-')
        .replaceAll(/^-+|-+$/g, '') || 'site',
    type: 'module',
    private: true,
    scripts: {
      dev: 'astro dev',
      build: 'astro build',
      preview: 'astro preview',
      check: 'astro check',
    },
    dependencies: { astro, 'astro-luid': luid },
    devDependencies: { '@astrojs/check': '^0.9.10', typescript: '^6.0.3' },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const ASTRO_CONFIG = `import { defineConfig } from 'astro/config';
import luid from 'astro-luid/integration';
import { space } from './src/space.ts';

export default defineConfig({
  integrations: [luid(space)],
});
`;

const TSCONFIG = `{
  "extends": "astro/tsconfigs/strict",
  "include": [".astro/types.d.ts", "**/*"],
  "exclude": ["dist"]
}
`;

const GITIGNORE = `node_modules/
dist/
.astro/
.env
.env.*
`;

function layout(lang: string, name: string): string {
  return `---
interface Props {
  title: string;
}
const { title } = Astro.props;
---

<!doctype html>
<html lang=${JSON.stringify(lang)}>
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>{title}</title>
    <link rel="icon" href="data:," />
  </head>
  <body>
    <header><a href="/">{${quoted(name)}}</a></header>
    <main><slot /></main>
  </body>
</html>

<style is:global>
  :root {
    color-scheme: light dark;
  }
  body {
    max-width: 46rem;
    margin: 0 auto;
    padding: 1.5rem;
    font: 1.0625rem / 1.8 system-ui, sans-serif;
  }
  img {
    max-width: 100%;
    height: auto;
  }
</style>
`;
}

function indexPage(model: string, folder: string, name: string): string {
  return `---
import { getCollection } from 'astro:content';
import Page from '../layouts/Page.astro';

const entries = await getCollection(${quoted(model)});
entries.sort((a, b) => Number(b.data._created_at) - Number(a.data._created_at));
---

<Page title={${quoted(name)}}>
  <ul>
    {
      entries.map(({ id, data }) => (
        <li>
          <a href={\`/${folder}/\${id}/\`}>{data._title || id}</a>
        </li>
      ))
    }
  </ul>
</Page>
`;
}

function entryPage(model: string, picture: string | undefined, body: string | undefined): string {
  const imports = [
    `import { type CollectionEntry, getCollection${body === undefined ? '' : ', render'} } from 'astro:content';`,
    ...(picture === undefined ? [] : ["import { LuidImage } from 'astro-luid/components';"]),
    "import Page from '../../layouts/Page.astro';",
  ];
  const parts = [
    '  <h1>{entry.data._title}</h1>',
    ...(picture === undefined
      ? []
      : [`  <LuidImage media={entry.data${propertyAccess(picture)}} width={736} />`]),
    ...(body === undefined ? [] : ['  <Content />']),
  ];
  return `---
${imports.join('\n')}

export async function getStaticPaths() {
  const entries = await getCollection(${quoted(model)});
  return entries.map((entry) => ({ params: { id: entry.id }, props: { entry } }));
}

interface Props {
  entry: CollectionEntry<${quoted(model)}>;
}
const { entry } = Astro.props;
${body === undefined ? '' : 'const { Content } = await render(entry);\n'}---

<Page title={entry.data._title}>
${parts.join('\n')}
</Page>
`;
}
