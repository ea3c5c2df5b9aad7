import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AstroIntegration } from 'astro';
import { afterEach, expect, expectTypeOf, test } from 'vitest';
import luid, { type IntegrationOptions } from '../../../src/astro/integration/integration.ts';
import rootLuid, { defineSpace } from '../../../src/index.ts';
import { createSite, type Site } from '../../e2e/site.ts';
import { models } from '../live/live-space.ts';

let site: Site;
afterEach(() => site?.remove());

const spaceAt = (host: string) =>
  `defineSpace({ assetsUrl: 'https://${host}.test', models: { note: { title: field.text() } } })`;
const START = "import { defineSpace, field } from 'astro-luid';\n";

/** What an integration does to a site of these files when Astro starts. */
async function setUp(files: Record<string, string>, integration = luid(), srcDir = 'src') {
  site = createSite(files, {});
  const url = (folder: string) => pathToFileURL(join(site.folder, folder, '/'));
  const done = { config: '', watched: [] as string[], integrations: [] as AstroIntegration[] };
  const hook = integration.hooks['astro:config:setup'] as (setup: unknown) => Promise<void>;
  await hook({
    command: 'dev',
    config: { root: url(''), srcDir: url(srcDir) },
    updateConfig(config: { integrations?: AstroIntegration[] }) {
      done.config += JSON.stringify(config);
      done.integrations.push(...(config.integrations ?? []));
    },
    addDevToolbarApp: () => {},
    addWatchFile: (file: string) => done.watched.push(file.slice(site.folder.length + 1)),
    logger: { warn: () => {} },
  });
  return done;
}

test.each(['space.ts', 'space.mts', 'space.js', 'space.mjs'])(
  'without a space, src/%s is used',
  async (name) => {
    const { config } = await setUp({ [`src/${name}`]: `${START}export const space = ${spaceAt('found')};` });
    expect(config).toContain('found.test');
  },
);

test('the source folder may have another name', async () => {
  const files = { 'site/space.ts': `${START}export default ${spaceAt('found')};` };
  expect((await setUp(files, luid(), 'site')).config).toContain('found.test');
});

test('of several spaces, the one named `space` is used', async () => {
  const text = `${START}export const shop = ${spaceAt('shop')};\nexport const space = ${spaceAt('found')};`;
  expect((await setUp({ 'src/space.ts': text })).config).toContain('found.test');
});

test('several spaces with other names are an error', async () => {
  const text = `${START}export const shop = ${spaceAt('shop')};\nexport const blog = ${spaceAt('blog')};`;
  await expect(setUp({ 'src/space.ts': text })).rejects.toThrow(
    /src\/space\.ts exports several spaces: shop, blog\n.*`luid\(space\)`/,
  );
});

test('without a space, the error names the files and the command to run', async () => {
  await expect(setUp({ 'site/a.ts': '' }, luid({ poll: false }), 'site')).rejects.toThrow(
    /site has none of space\.ts, space\.mts, space\.js, space\.mjs\n.*`npx astro-luid init`/,
  );
});

test('the dev server restarts for changes of the file and its imports, except packages', async () => {
  const { watched } = await setUp({
    'src/models.ts': `${START}export const models = { note: { title: field.text() } };`,
    'src/space.ts': `${START}import { models } from './models';\nexport const space = defineSpace({ models });`,
  });
  expect(watched.sort()).toEqual(['src/models.ts', 'src/space.ts']);
});

test('a space file may call getSecret, which reads .env here', async () => {
  const text = `${START}import { getSecret } from 'astro:env/server';
    export const space = defineSpace({ assetsUrl: getSecret('ELSEWHERE'), models: { note: { title: field.text() } } });`;
  const files = { 'src/space.ts': text, '.env': 'ELSEWHERE=https://secret.test' };
  expect((await setUp(files)).config).toContain('secret.test');
});

test('a space that is passed is used instead of a file', async () => {
  const space = defineSpace({ assetsUrl: 'https://passed.test', models });
  const done = await setUp({ 'src/space.ts': 'throw new Error();' }, luid(space, { poll: false }));
  expect(done.config).toContain('passed.test');
  expect(done.watched).toEqual([]);
});

test('the default export of astro-luid adds the integration with the same arguments', async () => {
  const files = { 'src/space.ts': `${START}export const space = ${spaceAt('found')};` };
  const { integrations } = await setUp(files, rootLuid({ poll: false }));
  site.remove();
  expect(integrations.map(({ name }) => name)).toEqual(['astro-luid']);
  expect((await setUp(files, integrations[0])).config).toContain('found.test');
  await expect(setUp(files, rootLuid({ poll: -1 }))).rejects.toThrow(/poll/);
});

test('both accept no arguments, options, a space, or both', () => {
  const space = defineSpace({ models });
  const options: IntegrationOptions = { poll: '30s' };
  for (const call of [luid, rootLuid]) {
    const all = [call(), call(options), call(space), call(space, options), call(undefined, options)];
    expect(all).toHaveLength(5);
    expectTypeOf(call).returns.toEqualTypeOf<AstroIntegration>();
    // @ts-expect-error: there is no such option
    expectTypeOf(call).toBeCallableWith({ pol: 30 });
  }
});
