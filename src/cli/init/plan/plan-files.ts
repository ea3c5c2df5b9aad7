import { basename, join } from 'node:path';
import { PACKAGE_VERSION } from '../../../shared/package-version.ts';
import { addDependencies, newPackageJson } from '../edit/package-json.ts';
import type { ProjectFolder } from '../inspect-project.ts';
import { readTextFile } from '../read-text-file.ts';
import { siteCollections } from '../site/sections.ts';
import { createSiteFiles, SITE_DEV_DEPENDENCIES, SITE_SCRIPTS } from '../site/site-files.ts';
import { planAstroConfig, planContentConfig } from './plan-code.ts';
import { hasName, type PlanContext } from './plan-context.ts';
import { planEnv, planIgnore } from './plan-env.ts';
import { compareWithDisk, type PlannedFile, planAddition } from './planned-file.ts';

/** Plans all files but the space file. */
export function planFiles(given: PlanContext): PlannedFile[] {
  const { project, inferred, survey, collections } = given;
  const context = project.isNew
    ? { ...given, collections: siteCollections(inferred, survey, collections) }
    : given;
  const files = [
    planContentConfig(context),
    planAstroConfig(context),
    ...planSite(context),
    planPackageJson(context.project),
    planEnv(context),
    planIgnore(context),
  ];
  return files.filter((file) => file !== undefined);
}

function planSite({ project, inferred, survey, collections, space }: PlanContext): PlannedFile[] {
  if (!project.isNew || !hasName(space)) return [];
  const { folder, srcDir } = project;
  const options = { name: basename(folder), srcDir, space };
  const files = createSiteFiles(inferred, survey, collections, options);
  return Object.entries(files).map(([path, text]) => compareWithDisk(folder, path, text));
}

function planPackageJson({ folder, isNew }: ProjectFolder): PlannedFile | undefined {
  const luid = { 'astro-luid': `^${PACKAGE_VERSION}` };
  const path = 'package.json';
  const requirements = isNew
    ? {
        isModule: true,
        scripts: SITE_SCRIPTS,
        // The version of Astro that this package was tested with.
        dependencies: { astro: '^7.3.4', ...luid },
        devDependencies: SITE_DEV_DEPENDENCIES,
      }
    : { dependencies: luid };
  const before = readTextFile(join(folder, path));
  if (before !== undefined)
    return planAddition(path, before, addDependencies(before, requirements), 'missing entries');
  return isNew ? compareWithDisk(folder, path, newPackageJson(basename(folder), requirements)) : undefined;
}
