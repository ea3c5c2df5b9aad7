import { describe, expect, test } from 'vitest';
import { isInstalled } from '../../scripts/lock/installed.mjs';

const LOCKED = {
  '': { version: '0.1.0' },
  playground: {},
  'node_modules/playground': { link: true },
  'node_modules/astro': { version: '7.3.4' },
  'node_modules/vitest': { version: '5.1.0', dev: true },
  'node_modules/astro/node_modules/vitest': { version: '4.0.0', dev: true },
  'node_modules/binary-linux': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
  'node_modules/binary-darwin': { version: '1.0.0', optional: true, os: ['darwin'], cpu: ['arm64'] },
};
/** What npm ci installs on Linux, and npm ci --omit=dev where there is no binary. */
const { '': root, 'node_modules/binary-darwin': darwin, ...onLinux } = LOCKED;
const withoutDev = {
  playground: {},
  'node_modules/playground': { link: true },
  'node_modules/astro': { version: '7.3.4' },
};
const LINUX = { platform: 'linux', arch: 'x64', omitsDev: false };

describe('whether the dependencies are installed', () => {
  test('they are after npm ci, on the same platform only', () => {
    expect(isInstalled(LOCKED, onLinux, LINUX)).toBe(true);
    expect(isInstalled(LOCKED, onLinux, { ...LINUX, platform: 'darwin' })).toBe(false);
    expect(isInstalled(LOCKED, onLinux, { ...LINUX, arch: 'arm64' })).toBe(false);
  });

  test('after npm ci --omit=dev they are for a job without tools only', () => {
    expect(isInstalled(LOCKED, withoutDev, { ...LINUX, omitsDev: true })).toBe(true);
    expect(isInstalled(LOCKED, withoutDev, LINUX)).toBe(false);
    expect(isInstalled(LOCKED, onLinux, { ...LINUX, omitsDev: true })).toBe(true);
  });

  test('a missing package, another version and one that is no longer locked have to be installed', () => {
    expect(isInstalled(LOCKED, {}, { ...LINUX, omitsDev: true })).toBe(false);
    const otherVersion = { ...onLinux, 'node_modules/astro': { version: '7.3.3' } };
    expect(isInstalled(LOCKED, otherVersion, LINUX)).toBe(false);
    const leftOver = { ...onLinux, 'node_modules/knip': { version: '6.0.0' } };
    expect(isInstalled(LOCKED, leftOver, LINUX)).toBe(false);
  });

  test('a package that the platform or the registry lacks may be missing', () => {
    const { 'node_modules/binary-linux': missing, ...withoutBinary } = onLinux;
    expect(isInstalled(LOCKED, withoutBinary, LINUX)).toBe(true);
  });
});
