import type { Inferred } from '../../infer/infer.ts';
import type { Survey } from '../../survey/survey.ts';
import type { Collection } from '../collections.ts';
import { layout } from './layout.ts';
import { entryList, entryPage, indexPage, languagePage, type SiteModel, urls } from './pages.ts';

/** What an empty folder gets beside the space and its collections: a list, and a page per entry of one model. */
export function siteFiles(
  inferred: Inferred,
  survey: Pick<Survey, 'models' | 'languages'>,
  collections: readonly Collection[],
  name: string,
): Record<string, string> {
  const model = mainModel(inferred, survey, collections);
  const lang = survey.languages?.main ?? 'en';
  return {
    'astro.config.mjs': ASTRO_CONFIG,
    'tsconfig.json': TSCONFIG,
    'src/urls.ts': urls(model),
    'src/layouts/Page.astro': layout(lang, name),
    'src/components/EntryList.astro': entryList(model),
    'src/pages/index.astro': indexPage(model, name),
    ...(model.langs && { 'src/pages/[lang]/index.astro': languagePage(model, name) }),
    [`src/pages/${model.langs ? '[lang]/' : ''}${model.folder}/[id].astro`]: entryPage(model),
  };
}

/** The model with most items among those whose entries have a body to show; else among all. */
function mainModel(
  { models }: Inferred,
  survey: Pick<Survey, 'models'>,
  collections: readonly Collection[],
): SiteModel {
  const sizes = new Map(survey.models.map(({ name, total }) => [name, total]));
  const bySize = collections.toSorted((a, b) => (sizes.get(b.model) ?? 0) - (sizes.get(a.model) ?? 0));
  const chosen = bySize.find(({ body }) => body !== undefined) ?? bySize[0];
  const { model = '', body, langs } = chosen ?? {};
  const fields = Object.entries(models[model] ?? {});
  const firstOf = (type: string) => fields.find(([, field]) => field.type === type)?.[0];
  return {
    model,
    // Astro ignores pages in folders whose name starts with an underscore.
    folder: model.startsWith('_') ? 'entries' : model,
    body,
    langs,
    image: firstOf('media'),
    lead: firstOf('multiline'),
  };
}

export const SITE_SCRIPTS = {
  dev: 'astro dev',
  build: 'astro build',
  preview: 'astro preview',
  check: 'astro check',
};

export const SITE_DEV_DEPENDENCIES = { '@astrojs/check': '^0.9.10', typescript: '^6.0.3' };

export const ASTRO_CONFIG = `import { defineConfig } from 'astro/config';
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

export const SITE_IGNORED = ['node_modules/', 'dist/', '.astro/', '.env', '.env.*'];
