import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ROOT } from './pack.ts';

const EMULATOR = join(ROOT, 'dist/emulator');

/** The files of the package that a program has loaded, and those that it has read. */
function loadedBy(program: string): string[] {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createEmulator } = await import(${JSON.stringify(join(EMULATOR, 'index.js'))});
    ${program}
    console.log(JSON.stringify(loaded));`;
  const output = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script]);
  return (JSON.parse(String(output)) as string[]).filter((url) => url.includes('/studio'));
}

describe('the studio in the package', () => {
  it('takes at most 120 kB, compressed', () => {
    const files = globSync('studio/**/*.{js,css,html,svg}', { cwd: EMULATOR });
    expect(files.map((file) => file.replaceAll('\\', '/'))).toEqual(
      expect.arrayContaining([
        'studio/studio.js',
        'studio/page/studio.js',
        'studio/page/studio.css',
        'studio/page/index.html',
      ]),
    );
    const bytes = files.map((file) => gzipSync(readFileSync(join(EMULATOR, file))).byteLength);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(120_000);
  });

  it('is loaded with its first request, and never if it is off', () => {
    const page = "await emulator.fetch(emulator.origin + '/', { headers: { accept: 'text/html' } });";
    expect(loadedBy(`const emulator = createEmulator(); ${page}`)).toEqual([]);
    expect(loadedBy('createEmulator(undefined, { studio: true });')).toEqual([]);
    expect(loadedBy(`const emulator = createEmulator(undefined, { studio: true }); ${page}`)).not.toEqual([]);
  });

  it('contains no source of its page, and its script names the license of what is bundled', () => {
    expect(globSync('**/*.{ts,tsx,map}', { cwd: join(EMULATOR, 'studio/page') })).toEqual([]);
    expect(readFileSync(join(EMULATOR, 'studio/page/studio.js'), 'utf8').slice(0, 200)).toContain(
      'MIT License',
    );
  });
});
