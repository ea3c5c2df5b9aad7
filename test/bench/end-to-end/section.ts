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
  return `## From an edit to the rebuilt site

A site of ${ARTICLES.toLocaleString('en')} articles with about 6 KB of text each, three pictures, blocks and an author, at ${latency} ms a request:
\`astro build\` as a whole, the start of Astro included. PocketBase keeps html, so that its site renders no Markdown, and
its pages guess at the sizes of pictures; ours asks for the sizes once. Where ours takes
longer than PocketBase's, the pages differ as well: components for pictures and blocks, and Markdown kept beside its html. How
much of the time is whose was not measured. ${describe(machine)}

${tables.join('\n')}`;
}
