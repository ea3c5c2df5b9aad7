import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { missingPlatforms, platformOf } from '../../scripts/lock/platforms.mjs';

type Packages = Record<
  string,
  {
    version?: string;
    integrity?: string;
    link?: boolean;
    optionalDependencies?: Record<string, string>;
    os?: string[];
    cpu?: string[];
  }
>;
const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
) as { packages: Packages };

test('the lock file has an entry for every platform of every native package', () => {
  expect(missingPlatforms(packages)).toEqual([]);
});

test('what a build needs is there for macOS, Windows and Linux', () => {
  const native = ['@rolldown/binding', '@biomejs/cli', '@esbuild', '@img/sharp'];
  for (const name of native) {
    for (const [os, cpu] of [
      ['darwin', 'arm64'],
      ['darwin', 'x64'],
      ['win32', 'x64'],
      ['linux', 'x64'],
      ['linux', 'arm64'],
    ]) {
      const entries = Object.entries(packages).filter(
        ([place, entry]) =>
          place.startsWith(`node_modules/${name}`) && entry.os?.includes(os!) && entry.cpu?.includes(cpu!),
      );
      expect(entries.length, `${name} for ${os} ${cpu}`).toBeGreaterThan(0);
    }
  }
});

/** The packages that npm installs without verifying them, as `name@version`. */
const unverified = Object.entries(packages)
  .filter(([place, { integrity, link }]) => place.includes('node_modules/') && !integrity && !link)
  .map(([place, { version }]) => `${place.slice(place.lastIndexOf('node_modules/') + 13)}@${version}`);

test('SECURITY.md lists every package without a checksum, and no other', () => {
  const text = readFileSync(join(import.meta.dirname, '../../SECURITY.md'), 'utf8');
  const [, section = ''] = text.split('## Packages without a checksum');
  const listed = [...section.matchAll(/^\| `(\S+)\*` \| (\S+) \| (.*) \|$/gm)].flatMap(
    ([, prefix = '', version = '', platforms = '']) =>
      [...platforms.matchAll(/`([^`]+)`/g)].map(([, platform]) => `${prefix}${platform}@${version}`),
  );
  expect(listed.toSorted()).toEqual(unverified.toSorted());
  expect(section).toContain(`These ${unverified.length} entries`);
});

test('everything that is installed on Linux on x64 and arm64 has a checksum: releases are built there', () => {
  const installed = unverified.filter((name) => {
    const { os, cpu } = packages[`node_modules/${name.slice(0, name.lastIndexOf('@'))}`] ?? {};
    const fits = (allowed: string[] | undefined, ...values: string[]) =>
      allowed === undefined || values.some((value) => allowed.includes(value));
    return fits(os, 'linux') && fits(cpu, 'x64', 'arm64');
  });
  expect(installed).toEqual([]);
});

test('the lock file names no registry', () => {
  expect(JSON.stringify(packages)).not.toMatch(/https?:\/\/[^"]*\.tgz/);
});

test('an optional dependency without an entry is found, nested and at the top', () => {
  const lock: Packages = {
    '': {},
    'node_modules/a': { optionalDependencies: { 'a-linux-x64': '1.0.0', 'a-win32-x64': '1.0.0' } },
    'node_modules/a-linux-x64': { version: '1.0.0' },
    'node_modules/b/node_modules/c': {
      optionalDependencies: { 'c-darwin-x64': '2.0.0', 'c-linux-x64': '2.0.0' },
    },
    'node_modules/b/node_modules/c-linux-x64': { version: '2.0.0' },
    playground: { optionalDependencies: { 'a-linux-x64': '1.0.0' } },
  };
  expect(missingPlatforms(lock)).toEqual([
    { parent: 'node_modules/a', name: 'a-win32-x64', range: '1.0.0' },
    { parent: 'node_modules/b/node_modules/c', name: 'c-darwin-x64', range: '2.0.0' },
  ]);
});

test.each([
  ['@rolldown/binding-darwin-arm64', { os: ['darwin'], cpu: ['arm64'] }],
  ['@rolldown/binding-linux-arm64-musl', { os: ['linux'], cpu: ['arm64'], libc: ['musl'] }],
  ['@oxc-parser/binding-linux-arm-musleabihf', { os: ['linux'], cpu: ['arm'], libc: ['musl'] }],
  ['@oxc-parser/binding-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
  ['@rolldown/binding-win32-x64-msvc', { os: ['win32'], cpu: ['x64'] }],
  ['@pagefind/windows-x64', { os: ['win32'], cpu: ['x64'] }],
  ['@rolldown/binding-openharmony-arm64', { os: ['openharmony'], cpu: ['arm64'] }],
  ['@rolldown/binding-android-arm-eabi', { os: ['android'], cpu: ['arm'] }],
])('the platform of %s is read from its name', (name, platform) => {
  expect(platformOf(name)).toEqual(platform);
});

test('a name without a platform is an error', () => {
  expect(() => platformOf('left-pad')).toThrow('left-pad');
});
