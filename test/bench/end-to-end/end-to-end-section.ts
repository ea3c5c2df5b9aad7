import { describeMachine, type Machine } from '../machine.ts';
import { ARTICLES } from './magazine-data.ts';

export interface BuildResult {
  readonly seconds: number;
  /** Seconds of CPU time, user and system. Older results lack it, and the memory. */
  readonly cpu?: number;
  /** Peak memory in bytes. */
  readonly peak?: number;
  readonly rendered: number;
  readonly correct: boolean;
  readonly requests: number;
  readonly bytes: number;
}

export interface EndToEndResults {
  readonly machine: Machine;
  readonly latency: number;
  readonly sites: {
    readonly name: string;
    /** Bytes of Astro's data store. */
    readonly store: number;
    readonly builds: { readonly [B in keyof typeof BUILDS]: BuildResult };
  }[];
}

export const BUILDS = {
  first: 'first build',
  unchanged: 'nothing changed',
  article: 'one article edited',
  author: 'one author renamed, shown by 40 articles',
};

/** The part of RESULTS.md about whole builds. */
export function endToEndSection({ machine, latency, sites }: EndToEndResults): string {
  const tables = Object.entries(BUILDS).map(([build, title]) => {
    const rows = sites.map(({ name, builds }) => {
      const { seconds, cpu, peak, requests, bytes, rendered, correct } = builds[build as keyof typeof BUILDS];
      const cells = [
        name,
        `${seconds.toFixed(1)} s`,
        cpu === undefined ? '–' : `${cpu.toFixed(1)} s`,
        peak === undefined ? '–' : `${Math.round(peak / 1e6)} MB`,
        requests,
        `${(bytes / 1e6).toFixed(2)} MB`,
        rendered.toLocaleString('en'),
        correct ? 'yes' : '**no**',
      ];
      return `| ${cells.join(' | ')} |`;
    });
    return `### ${title}\n\n| site | \`astro build\` | CPU time | peak memory | requests | bytes | article pages rendered | correct |\n|---|---|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  const stores = sites.map(({ name, store }) => `${name}: ${(store / 1e6).toFixed(0)} MB`).join('; ');
  return `## From an edit to the rebuilt site

A site of ${ARTICLES.toLocaleString('en')} articles with about 6 KB of text each, three images, blocks and an author, at ${latency} ms per request. The
time is that of the whole \`astro build\`, including the start of Astro: the median of three builds, except for the first
build. PocketBase stores HTML, so its site renders no Markdown, and its pages assume the dimensions of images. One site
with astro-luid does the same, with the same pages. The other has Markdown, and components for images and blocks, and
requests the dimensions of images once. ${describeMachine(machine)}

![Time of a build by site](end-to-end.svg)

Astro reads, bundles and writes its data store in every build (${stores}), and Vite bundles what pages import.

${tables.join('\n')}`;
}
