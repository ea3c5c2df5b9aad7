import { posix } from 'node:path';
import type { FieldBase } from '../../../models/field-types/field-type.ts';
import { fieldTypeOf, isMedia } from '../../../models/field-types/index.ts';
import { fieldsOf } from '../../../models/fields-of.ts';
import type { Inferred } from '../../infer/infer.ts';
import type { Survey } from '../../survey/survey.ts';
import { quoted } from '../space-file/code-literals.ts';
import type { Collection } from '../space-file/collections.ts';
import { layout } from './layout-file.ts';
import {
  entryList,
  entryPage,
  indexPage,
  languagePage,
  type SiteModel,
  standalonePage,
  urls,
} from './page-files.ts';

export interface SiteOptions {
  /** The name of the site. */
  readonly name: string;
  /** The source folder, relative to the project. */
  readonly srcDir: string;
  readonly space: SpaceExport;
}

/** The space file, relative to the project, and the export name of the space. */
export interface SpaceExport {
  readonly path: string;
  readonly name: string;
}

/** The files of a new site besides the space and its collections: a list, and a page per entry of one model. */
export function createSiteFiles(
  inferred: Inferred,
  survey: Pick<Survey, 'models' | 'languages'>,
  collections: readonly Collection[],
  { name, srcDir, space }: SiteOptions,
): Record<string, string> {
  const model = chooseModel(inferred, survey, collections);
  const lang = survey.languages?.main ?? 'en';
  const sources = {
    'urls.ts': urls(model),
    'layouts/Page.astro': layout(lang, name),
    'components/EntryList.astro': entryList(model),
    'pages/index.astro': indexPage(model, name),
    ...(model.langs && { 'pages/[lang]/index.astro': languagePage(model, name) }),
    [`pages/${model.langs ? '[lang]/' : ''}${model.folder}/[id].astro`]: entryPage(model),
  };
  return {
    'astro.config.mjs': newAstroConfig(space, srcDir),
    'tsconfig.json': TSCONFIG,
    ...Object.fromEntries(Object.entries(sources).map(([path, text]) => [posix.join(srcDir, path), text])),
  };
}

/** A page for an existing site: its path, and its code. */
export function createPageSnippet(
  inferred: Inferred,
  survey: Pick<Survey, 'models'>,
  collections: readonly Collection[],
  srcDir: string,
): { readonly path: string; readonly code: string } {
  const model = chooseModel(inferred, survey, collections);
  // Ids contain slashes if they begin with a language.
  return { path: posix.join(srcDir, 'pages', model.folder, '[...id].astro'), code: standalonePage(model) };
}

/** The model with the most items, preferably one with a body. */
function chooseModel(
  { models }: Inferred,
  survey: Pick<Survey, 'models'>,
  collections: readonly Collection[],
): SiteModel {
  const sizes = new Map(survey.models.map(({ name, total }) => [name, total]));
  const bySize = collections.toSorted((a, b) => (sizes.get(b.model) ?? 0) - (sizes.get(a.model) ?? 0));
  const chosen = bySize.find(({ body }) => body !== undefined) ?? bySize[0];
  const { model = '', body, langs } = chosen ?? {};
  const fields = Object.entries(fieldsOf(models, model));
  const firstThat = (fits: (field: FieldBase) => boolean) => fields.find(([, field]) => fits(field))?.[0];
  return {
    model,
    // Astro ignores pages in folders whose name starts with an underscore.
    folder: model.startsWith('_') ? 'entries' : model,
    body,
    langs,
    image: firstThat(isMedia),
    lead: firstThat((field) => fieldTypeOf(field).text === 'lines'),
  };
}

export const SITE_SCRIPTS = {
  dev: 'astro dev',
  build: 'astro build',
  preview: 'astro preview',
  check: 'astro check',
};

export const SITE_DEV_DEPENDENCIES = { '@astrojs/check': '^0.9.10', typescript: '^6.0.3' };

/** `astro.config.mjs`, with `srcDir` if it is not Astro's default. */
export function newAstroConfig({ path, name }: SpaceExport, srcDir: string): string {
  const folder = srcDir === 'src' ? '' : `  srcDir: ${quoted(srcDir === '.' ? './' : `./${srcDir}`)},\n`;
  return `import { defineConfig } from 'astro/config';
import luid from 'astro-luid/integration';
import { ${name} } from ${quoted(`./${path}`)};

export default defineConfig({
${folder}  integrations: [luid(${name})],
});
`;
}

const TSCONFIG = `{
  "extends": "astro/tsconfigs/strict",
  "include": [".astro/types.d.ts", "**/*"],
  "exclude": ["dist"]
}
`;

export const SITE_GITIGNORE = ['node_modules/', 'dist/', '.astro/', '.env', '.env.*'];
