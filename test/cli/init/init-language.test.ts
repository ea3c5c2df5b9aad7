import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { createProject, type Project } from '../support/cli-project.ts';
import { TINY_SPACE } from '../support/tiny-space.ts';

let service: RunningEmulator;
let project: Project;
beforeEach(async () => {
  service = await startEmulator(TINY_SPACE, { rateLimit: false });
  project = createProject();
});
afterEach(async () => {
  project.remove();
  await service.close();
});

const init = (key: string, env: Record<string, string>) =>
  project.luid(['init', '--yes', '--json', '--base-url', service.baseUrl, '--api-key', key], env);

test('init reports in Japanese with LUID_LANG=ja, and writes the same files and JSON', async () => {
  const japanese = await init('published-key', { LUID_LANG: 'ja' });
  const files = project.files().map((path) => [path, project.read(path)]);
  expect(japanese.code).toBe(0);
  for (const line of ['… モデルを検出しています', '要確認 article: ', '作成 src/space.ts', '次のステップ:'])
    expect(japanese.stderr).toContain(line);
  project.remove();
  project = createProject();
  const english = await init('published-key', { LUID_LANG: 'en' });
  expect(english.stderr).toContain('… finding the models');
  expect(english.stderr).not.toMatch(/[\u3040-\u30ff]/);
  expect(japanese.stdout).toBe(english.stdout);
  const isNamed = (path = '') => /settings\.ts|package\.json$/.test(path);
  expect(
    project
      .files()
      .map((path) => [path, project.read(path)])
      .filter(([path]) => !isNamed(path)),
  ).toEqual(files.filter(([path]) => !isNamed(path)));
});

test('an error is in Japanese by the locale, with status, URL and variables as in English', async () => {
  const { code, stderr } = await init('wrong', { LUID_LANG: '', LC_ALL: 'ja_JP.UTF-8' });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /luid init: \[GET\] http\S+: 401 Unauthorized\n {2}→ API キーがないか、正しくありません。--api-key または LUID_API_KEY を確認してください/,
  );
});
