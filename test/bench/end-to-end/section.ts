import { describe, type Machine } from '../machine.ts';
import { ARTICLES } from './magazine.ts';

export interface BuildResult {
  readonly seconds: number;
  readonly rendered: number;
  readonly right: boolean;
  readonly requests: number;
  readonly bytes: number;
}

export interface EndToEndResults {
  readonly machine: Machine;
  readonly latency: number;
  readonly contenders: {
    readonly name: string;
    /** Bytes of Astro's data store. */
    readonly store: number;
    readonly builds: { readonly [B in keyof typeof BUILDS]: BuildResult };
  }[];
}

const BUILDS = {
  first: 'first build',
  nothing: 'nothing changed',
  article: 'one article edited',
  author: 'one author renamed, shown by 40 articles',
};

/** The end-to-end benchmark in words and tables. */
export function endToEndSection({ machine, latency, contenders }: EndToEndResults): string {
  const tables = Object.entries(BUILDS).map(([build, title]) => {
    const rows = contenders.map(({ name, builds }) => {
      const { seconds, requests, bytes, rendered, right } = builds[build as keyof typeof BUILDS];
      const cells = [
        name,
        `${seconds.toFixed(1)} s`,
        requests,
        `${(bytes / 1e6).toFixed(2)} MB`,
        rendered.toLocaleString('en'),
        right ? 'yes' : '**no**',
      ];
      return `| ${cells.join(' | ')} |`;
    });
    return `### ${title}\n\n| site | \`astro build\` | requests | bytes | article pages rendered | right |\n|---|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  const stores = contenders.map(({ name, store }) => `${name}: ${(store / 1e6).toFixed(0)} MB`).join('; ');
  return `## From an edit to the rebuilt site

A site of ${ARTICLES.toLocaleString('en')} articles with about 6 KB of text each, three pictures, blocks and an author, at ${latency} ms a request:
\`astro build\` as a whole, the start of Astro included; but for the first build, the middle one of three. PocketBase
keeps html, so that its site renders no Markdown, and its pages guess at the sizes of pictures; ours asks for the sizes
once. ${describe(machine)}

Where ours takes longer than PocketBase’s with nothing changed, it is not for what it asks or loads. Its entries hold the
Markdown beside its html, and their author, and Astro reads, bundles and writes its data store in every build (${stores}).
Vite has to bundle components for pictures and blocks besides, and the package itself.

${tables.join('\n')}`;
}
