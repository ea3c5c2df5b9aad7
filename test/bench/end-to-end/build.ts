import { readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createSite, type Site } from '../../e2e/site.ts';
import { runMeasured } from '../measured-command.ts';
import type { BuildResult } from './end-to-end-section.ts';
import type { EditedService, Editor } from './services.ts';

export interface MeasuredSite {
  readonly name: string;
  readonly site: Site;
  readonly editor: Editor;
}

type Files = Parameters<typeof createSite>[0];

export function measuredSite(name: string, files: Files, { editor, env }: EditedService): MeasuredSite {
  return { name, site: createSite(files, env), editor };
}

/** The same, with a loader that is installed for the benchmarks. */
export function peerSite(name: string, peer: string, files: Files, service: EditedService): MeasuredSite {
  const measured = measuredSite(name, files, service);
  const installed = join(import.meta.dirname, '../node_modules', peer);
  symlinkSync(installed, join(measured.site.folder, 'node_modules', peer));
  return measured;
}

/** Builds the site and looks for a text on the page of an article. */
export async function build(
  { site, editor }: MeasuredSite,
  page: number,
  expected: string,
): Promise<BuildResult> {
  editor.takeCounts();
  const { output, ms, cpu, peak } = await runMeasured(site, ['build', '--verbose']);
  const renderedLines = output
    .split('\n')
    .filter((line) => /[├└]─/.test(line) && !/restored|cached|unchanged/i.test(line));
  const rendered = renderedLines.filter((line) => /\/articles\/\d+\//.test(line)).length;
  const correct = site.built(`articles/${page}/index.html`).includes(expected);
  return { seconds: ms / 1000, cpu: cpu / 1000, peak, rendered, correct, ...editor.takeCounts() };
}

/** Bytes of Astro's data store, which every build reads, bundles and writes. */
export const storeSize = ({ site }: MeasuredSite): number => statSync(storeFile(site)).size;
export const storeText = ({ site }: MeasuredSite): string => readFileSync(storeFile(site), 'utf8');

const storeFile = ({ folder }: Site) => join(folder, 'node_modules/.astro/data-store.json');
