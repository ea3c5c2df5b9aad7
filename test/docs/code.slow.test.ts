import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createEmulator, type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import type { Site } from '../e2e/site.ts';
import { CODE, createSiteOf, HOSTS, SITES } from './document-sites.ts';
import { type Block, blocksOf, DOCUMENTS } from './documents.ts';
import { problemsInShell } from './shell.ts';

describe.each(SITES)('the code in $name', ({ documents }) => {
  let service: RunningEmulator;
  let site: Site;
  beforeAll(async () => {
    service = await startEmulator();
    site = createSiteOf(documents, service);
  });
  afterAll(async () => {
    site?.remove();
    await service?.close();
  });

  test('passes astro check', async () => {
    const report = await site.astro(['check', '--minimumFailingSeverity', 'error']).then(
      () => '',
      (error: Error) => stripVTControlCharacters(error.message),
    );
    expect(report).toBe('');
  });
});

/** How blocks in other languages are checked. */
const CHECKS: Readonly<Record<string, (block: Block) => unknown>> = {
  sh: ({ code }) => expect(problemsInShell(code)).toEqual([]),
  // Seeds, and the cron job of a host.
  json: ({ document, code }) => {
    const json = JSON.parse(code);
    if (document === HOSTS) expect(json).toEqual({ crons: [expect.anything()] });
    else createEmulator(json);
  },
  yaml: ({ code }) => expect(parse(code)).toHaveProperty('jobs'),
};

/** Blocks that cannot be checked, and why. */
const UNCHECKED: Readonly<Record<string, { reason: string; documents: readonly string[] }>> = {
  text: {
    reason: 'output of programs, and diagrams of characters',
    documents: [
      'docs/architecture.md',
      'docs/guides/backups.md',
      'docs/guides/emulator.md',
      'docs/guides/linting.md',
      'docs/guides/serving.md',
      'docs/reference/commands.md',
      'docs/start/concepts.md',
    ],
  },
  mermaid: { reason: 'sequence diagrams, which Git hosts render', documents: ['docs/architecture.md'] },
};

const others = DOCUMENTS.flatMap(blocksOf).filter(({ language }) => !CODE.has(language));

test.each(others.map((block) => [`${block.document}:${block.line}`, block] as const))(
  'the block at %s is checked, or cannot be',
  (_place, block) => {
    const check = CHECKS[block.language];
    if (check) check(block);
    else expect(UNCHECKED[block.language]?.documents).toContain(block.document);
  },
);
