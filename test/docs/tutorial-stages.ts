import { CODE, TUTORIAL } from './document-sites.ts';
import { type Block, blocksOf, textOf } from './documents.ts';
import { prose } from './links.ts';
import { withoutVersion } from './shell.ts';

export interface Step {
  readonly number: number;
  readonly blocks: readonly Block[];
  /** The paths that the reader opens in the site. */
  readonly paths: readonly string[];
}

/** The site as it is after some steps. */
export interface Stage {
  /** The number of the last step. */
  readonly last: number;
  readonly steps: readonly Step[];
  readonly files: Readonly<Record<string, string>>;
}

const HEADING = /^### (\d+)\. .+$/gm;

/** The steps of the tutorial. */
export function stepsOf(document = TUTORIAL): Step[] {
  const text = textOf(document);
  const blocks = blocksOf(document);
  const lineOf = (index: number) => text.slice(0, index).split('\n').length;
  const headings = [...text.matchAll(HEADING)];
  return headings.map(({ 1: number, index }, at) => {
    const end = headings[at + 1]?.index ?? text.length;
    const words = prose(text.slice(index, end));
    return {
      number: Number(number),
      blocks: blocks.filter(({ line }) => line > lineOf(index) && line < lineOf(end)),
      paths: [...words.matchAll(/`http:\/\/localhost:4321(\/[^`]*)`/g)].map(([, path = '']) => path),
    };
  });
}

/** The fewest stages that have every version of every file: one ends before a version is replaced that is in none yet. */
export function stagesOf(steps: readonly Step[]): Stage[] {
  const stages: Stage[] = [];
  let files: Record<string, string> = {};
  let unstaged = new Set<string>();
  const stageBefore = (at: number) => {
    const first = stages.at(-1)?.last ?? 0;
    const covered = steps.slice(0, at).filter(({ number }) => number > first);
    stages.push({ last: covered.at(-1)?.number ?? first, steps: covered, files });
    files = { ...files };
    unstaged = new Set();
  };
  for (const [at, { blocks }] of steps.entries()) {
    const written = blocks.filter(({ language, file }) => CODE.has(language) && file !== undefined);
    if (written.some(({ file }) => unstaged.has(file ?? ''))) stageBefore(at);
    for (const { file = '', code } of written) {
      files[file] = code;
      unstaged.add(file);
    }
  }
  stageBefore(steps.length);
  return stages;
}

/** The packages that the code of a step imports, and those that its commands install. */
export function packagesOf({ blocks }: Step): { imported: string[]; installed: string[] } {
  const code = blocks.filter(({ language }) => CODE.has(language)).map((block) => block.code);
  const shell = blocks.filter(({ language }) => language === 'sh').map((block) => block.code);
  const specifiers = [...code.join('\n').matchAll(/ from '([^.'][^']*)'/g)].map(([, name = '']) => name);
  const installs = [...shell.join('\n').matchAll(/^npm install (.+)$/gm)].map(([, names = '']) => names);
  return {
    imported: specifiers
      .filter((name) => !name.startsWith('astro:'))
      .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')),
    installed: installs.flatMap((names) => names.split(' ').map(withoutVersion)),
  };
}
