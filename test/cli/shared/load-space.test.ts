import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSpace } from '../../../src/cli/shared/load-space.ts';
import { createProject, type Project } from '../support/cli-project.ts';

let project: Project;
let environment: NodeJS.ProcessEnv;
beforeEach(() => {
  environment = { ...process.env };
  project = createProject();
  project.install();
});
afterEach(() => {
  process.env = environment;
  project.remove();
});

const space = (name: string, base = name) =>
  `export const ${name} = defineSpace({ baseUrl: 'http://${base}.test/v1', models: { note: { title: field.text() } } });\n`;
const START = "import { defineSpace, field } from 'astro-luid';\n";
const load = (request = {}) => loadSpace({ dir: project.folder, ...request });

test('imports whatever Astro can import: no extensions, tsconfig.json paths, enums, astro:env secrets', async () => {
  project.write('tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }');
  project.write('src/address.ts', "export enum Where { Here = 'here' }");
  project.write(
    'src/more.ts',
    "import { getSecret } from 'astro:env/server';\nexport const key = getSecret('A_SECRET');",
  );
  project.write('.env', 'A_SECRET=found\nLUID_NAME=note\n');
  project.write(
    'src/space.ts',
    `${START}import { Where } from './address';
import { key } from '@/more';
export const space = defineSpace({
  baseUrl: \`http://\${Where.Here}.test/v1\`,
  apiKey: key,
  models: { [import.meta.env.LUID_NAME]: { title: field.text() } },
});`,
  );
  const found = await load();
  expect([found.name, Object.keys(found.space.models)]).toEqual(['space', ['note']]);
  expect(await found.space.connect()()).toMatchObject({ baseUrl: 'http://here.test/v1', apiKey: 'found' });
});

test('reads .env files as Astro does, and existing variables take precedence', async () => {
  process.env.LUID_API_KEY = 'from outside';
  project.write('.env', 'LUID_API_KEY=from-file\nLUID_BASE_URL=http://a.test/v1\n');
  project.write('.env.local', 'LUID_BASE_URL=http://local.test/v1\n');
  project.write('src/space.mjs', START + space('space').replace(/baseUrl: '[^']+', /, ''));
  const { baseUrl } = await (await load()).space
    .connect()()
    .catch(() => ({ baseUrl: 'refused' }));
  expect([process.env.LUID_API_KEY, process.env.LUID_BASE_URL]).toEqual([
    'from outside',
    'http://local.test/v1',
  ]);
  // The key has a space in it, which no header can carry: it was the one that is used.
  expect(baseUrl).toBe('refused');
});

test('ignores variables of other tools in .env, unless the space reads them', async () => {
  const others = {
    NODE_OPTIONS: '--no-warnings',
    GITHUB_API_URL: 'http://attacker.test',
    PATH: '/nowhere',
    A_SECRET: 'x',
  };
  const before = Object.fromEntries(Object.keys(others).map((name) => [name, process.env[name]]));
  const lines = Object.entries({ ...others, LUID_HOOK: 'http://hook.test', GITHUB_TOKEN: 'token' });
  project.write('.env', lines.map(([name, value]) => `${name}=${value}\n`).join(''));
  project.write(
    'src/space.ts',
    `${START}import { getSecret } from 'astro:env/server';\n${space('space').replace('{ base', "{ apiKey: getSecret('A_SECRET'), base")}`,
  );
  const found = await load();
  for (const name of Object.keys(others)) expect(process.env[name]).toBe(before[name]);
  expect([process.env.LUID_HOOK, process.env.GITHUB_TOKEN]).toEqual(['http://hook.test', 'token']);
  expect(await found.space.connect()()).toMatchObject({ apiKey: 'x' });
});

test('requires a name if the file exports several spaces', async () => {
  project.write('config/all.ts', `${START}${space('shop')}${space('blog')}export const other = 1;\n`);
  const file = 'config/all.ts';
  await expect(load({ space: file })).rejects.toThrow(/exports several spaces: shop, blog\n.*--export NAME/);
  expect((await load({ space: file, export: 'shop' })).space.settings.baseUrl).toBe('http://shop.test/v1');
  await expect(load({ space: file, export: 'news' })).rejects.toThrow(
    /no space called news\n.*It exports shop, blog/,
  );
});

test('treats a space with two export names as one', async () => {
  project.write('src/space.ts', `${START}${space('space')}export default space;\n`);
  expect((await load()).space.settings.baseUrl).toBe('http://space.test/v1');
});

test.each([
  ['no space file', {}, undefined, /No space\.ts in .*\n.*npx astro-luid init/],
  ['a file that does not exist', { space: 'a.ts' }, undefined, /File not found: a\.ts\n.*--space FILE/],
  [
    'a file without a space',
    {},
    'export const models = {};',
    /src\/space\.ts exports no space\n.*defineSpace/,
  ],
  ['a file that throws', {}, "throw new Error('what now');", /src\/space\.ts cannot be imported: what now/],
  ['a file that does not parse', {}, 'export const = 1;', /src\/space\.ts cannot be imported: /],
  ['a missing import', {}, "import './nowhere';", /src\/space\.ts cannot be imported: .*nowhere/s],
])('rejects %s', async (_, request, text, message) => {
  if (text) project.write('src/space.ts', text);
  await expect(load(request)).rejects.toThrow(message);
});

test('rejects a project without Astro', async () => {
  const empty = createProject();
  try {
    empty.write('src/space.ts', 'export {};');
    await expect(loadSpace({ dir: empty.folder })).rejects.toThrow(
      /Astro is not installed in .*\n.*--dir DIR/,
    );
  } finally {
    empty.remove();
  }
});
