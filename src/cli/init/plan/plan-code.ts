import { join, posix } from 'node:path';
import { printable } from '../../../shared/printable.ts';
import { addIntegration } from '../edit/astro-config.ts';
import { addCollections, contentConfig } from '../edit/content-config.ts';
import { hasDependency } from '../edit/package-json.ts';
import { UnsupportedSyntaxError, unlessUnsupported } from '../edit/parse-source.ts';
import { readTextFile } from '../read-text-file.ts';
import { newAstroConfig } from '../site/site-files.ts';
import { collectionCode } from '../space-file/collections.ts';
import { hasName, type PlanContext } from './plan-context.ts';
import { verifyGenerated } from './plan-space-file.ts';
import { compareWithDisk, type PlannedFile, planAddition, planManual } from './planned-file.ts';

/** Plans the content config, with a collection for each model. */
export function planContentConfig({
  project,
  collections,
  space,
  warnings,
}: PlanContext): PlannedFile | undefined {
  if (collections.length === 0 || !hasName(space)) {
    warnings.push(`No collections were added: ${space.path} cannot be analysed without running it.`);
    return undefined;
  }
  const { folder, contentConfig: existing, legacyContentConfig: legacy, srcDir } = project;
  const path = posix.join(srcDir, 'content.config.ts');
  const imported = { name: space.name, from: `./${posix.relative(srcDir, space.path)}` };
  if (existing === undefined && legacy === undefined) {
    const text = contentConfig(collections, imported);
    const isComplete = () => addCollections(text, collections, imported) === text;
    verifyGenerated('content.config.ts', text, 3, () => unlessUnsupported(isComplete) === true);
    return compareWithDisk(folder, path, text);
  }
  const names = { define: 'defineCollection', space: space.name };
  const lines = [
    "import { defineCollection } from 'astro:content';",
    `import { ${space.name} } from '${existing === undefined ? '.' : ''}${imported.from}';`,
    '',
    '// in `export const collections = { … }`:',
    ...collections.map((one) => `  ${collectionCode(one.model, one, names)},`),
  ];
  if (existing !== undefined)
    return planEdit(folder, existing, lines, (before) => addCollections(before, collections, imported));
  const why = `Astro 6 and later read ${path}: move the file there, then run this command again, or add`;
  return planManual({ path: legacy ?? '', why, lines });
}

/** Plans the Astro config, with the integration. A new site has its own. */
export function planAstroConfig({ project, space, warnings }: PlanContext): PlannedFile | undefined {
  const { folder, astroConfig: existing, isNew, others, packageJson, srcDir } = project;
  const imported = { name: space.name, from: `./${space.path}` };
  const name = space.name ?? 'space';
  const lines = [
    "import luid from 'astro-luid/integration';",
    `import { ${name} } from '${imported.from}';${hasName(space) ? '' : ' // or the name of your export'}`,
    '',
    '// in the configuration:',
    `  integrations: [luid(${name})],`,
  ];
  if (existing !== undefined) {
    return planEdit(folder, existing, lines, (before) => addIntegration(before, imported));
  }
  if (isNew) return undefined;
  const isAstro =
    packageJson !== undefined && hasDependency(readTextFile(join(folder, packageJson)) ?? '', 'astro');
  // The user may expect a complete site, which would overwrite existing files.
  warnings.push(
    isAstro
      ? `No pages were created, because the folder is not empty: it has ${formatNames(others)}.`
      : `This folder has neither an astro.config nor Astro in its package.json. Is it the right one? A complete site is only created in an empty folder; this one has ${formatNames(others)}.`,
  );
  if (!isAstro) return undefined;
  const path = 'astro.config.mjs';
  if (hasName(space)) return compareWithDisk(folder, path, newAstroConfig(space, srcDir));
  const why = 'It was not created, because the export name of the space is not known. Add';
  return planManual({ path, why, lines });
}

/** Plans a change to a file of the user; if its syntax is not supported, returns the lines to add by hand. */
function planEdit(
  folder: string,
  path: string,
  lines: readonly string[],
  change: (before: string) => string,
): PlannedFile {
  const before = readTextFile(join(folder, path)) ?? '';
  try {
    const manual = { path, why: 'It was not changed. Add', lines };
    return { ...planAddition(path, before, change(before)), manual };
  } catch (error) {
    if (!(error instanceof UnsupportedSyntaxError)) throw error;
    const why = `It cannot be extended automatically (${error.message}). Add`;
    return planManual({ path, why, lines });
  }
}

const MAX_NAMES = 3;

function formatNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const shown = names.slice(0, MAX_NAMES).map((name) => printable(name, 40));
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
