import { expect, test } from 'vitest';
import { leaveToNode } from '../../../src/astro/integration/leave-to-node.ts';

const external = (environment: string, command: string, noExternal: unknown = []) =>
  leaveToNode.configEnvironment(environment, { resolve: { noExternal } }, { command })?.resolve.external;

const LEFT = ['space', 'server', 'image-service'].map((name) => `astro-luid/internal/${name}`);

test('a dev server leaves the package to Node, for content and for pages', () => {
  expect([external('astro', 'serve'), external('ssr', 'serve')]).toEqual([LEFT, LEFT]);
});

test('so does a build that loads content, and not the bundles that it makes', () => {
  const environments = ['astro', 'ssr', 'prerender', 'client'];
  expect(environments.filter((environment) => external(environment, 'build'))).toEqual(['astro']);
});

test('another runtime than Node gets it from Vite', () => {
  expect(external('ssr', 'serve', true)).toBeUndefined();
});
