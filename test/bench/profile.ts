// Profiles a cold `astro sync` of 100,000 entries: node test/bench/profile.ts, after a build.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '../../src/emulator/index.ts';
import { createSite } from '../e2e/site.ts';
import { type Area, byFile, type CpuProfile, GARBAGE, sumByArea, WAITING } from './cpu-areas.ts';
import { readMachine } from './machine.ts';
import type { ProfileResults } from './profile-section.ts';
import { writeResults } from './results.ts';
import { textOf } from './text.ts';

const SIZE = 100_000;
const AUTHORS = 50;
const body = textOf(1_720);
const created_at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();

const AREAS: readonly Area[] = [
  WAITING,
  GARBAGE,
  ['Astro’s store: validating, copying, writing', byFile(/devalue|neotraverse|astro\/dist\/content\//)],
  ['requests: receiving and validating JSON', byFile(/astro-luid\/dist\/client\/|undici|dist\/client\/all/)],
  ['cache on disk: comparing, encoding, hashing', byFile(/dist\/replica\/all/)],
  [
    'entries: validation, references, digests',
    byFile(/dist\/entries\/all|dist\/models\/all|chunks\/load|\/zod\/|xxhash/),
  ],
  ['Vite and the rest of Astro', byFile(/vite|rolldown|astro\/dist|module-runner/)],
];

const service = await startEmulator(
  {
    languages: { main: 'ja' },
    keys: [{ key: 'k', reads: 'published' }],
    models: {
      author: { name: { type: 'text' } },
      article: {
        title: { type: 'text' },
        body: { type: 'multiline' },
        author: { type: 'reference', model: 'author' },
      },
    },
    contents: Array.from({ length: AUTHORS + SIZE }, (_, n) => ({
      id: n + 1,
      model: n < AUTHORS ? 'author' : 'article',
      created_at: created_at(n),
      published: {
        ja:
          n < AUTHORS ? { name: `Author ${n}` } : { title: `Article ${n}`, body, author: 1 + (n % AUTHORS) },
      },
    })),
  },
  { rateLimit: false },
);
const site = createSite(
  {
    'src/content.config.ts': `
      import { defineCollection } from 'astro:content';
      import { defineSpace, field } from 'astro-luid';
      const space = defineSpace({ network: { requestsPerMinute: Infinity }, models: {
        author: { name: field.text() },
        article: { title: field.text(), body: field.multiline(), author: field.reference('author') },
      } });
      export const collections = { articles: defineCollection({ loader: space.loader('article') }) };`,
  },
  { LUID_BASE_URL: service.baseUrl, LUID_API_KEY: 'k' },
);
const folder = mkdtempSync(join(tmpdir(), 'astro-luid-profile-'));
const start = performance.now();
await site.astro(['sync'], { NODE_OPTIONS: `--max-old-space-size=8192 --cpu-prof --cpu-prof-dir=${folder}` });
const ms = performance.now() - start;
const profiles = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
const longest = profiles.sort((a, b) => b.samples.length - a.samples.length)[0] as CpuProfile;
const areas = sumByArea(longest, AREAS);
for (const [area, time] of areas) console.log(`${(time / 1000).toFixed(1)} s`.padStart(8), area);
const results: ProfileResults = { machine: readMachine(), size: SIZE, ms, areas };
writeResults('profile', results);
rmSync(folder, { recursive: true });
site.remove();
await service.close();
