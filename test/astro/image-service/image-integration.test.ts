import { expect, test } from 'vitest';
import luid, { type IntegrationOptions } from '../../../src/astro/integration/integration.ts';
import { defineSpace, field } from '../../../src/index.ts';

const assetsUrl = 'https://assets.example/space';
const space = defineSpace({ assetsUrl, models: { page: { title: field.text() } } });

/** What the integration makes of a site's image service. */
async function serviceFor(entrypoint: string, options: IntegrationOptions = {}): Promise<unknown> {
  const updates: { image?: { service?: unknown } }[] = [];
  const hook = luid(space, options).hooks['astro:config:setup'] as (setup: unknown) => void;
  await hook({
    command: 'build',
    config: { root: new URL('./', import.meta.url), image: { service: { entrypoint, config: {} } } },
    updateConfig: (update: (typeof updates)[number]) => updates.push(update),
    logger: { warn: (message: string) => expect.unreachable(message) },
  });
  return updates.find(({ image }) => image)?.image?.service;
}

const ours = { entrypoint: 'astro-luid/image-service', config: { assetsUrl } };

test('Astro’s default image service is replaced by ours', async () => {
  expect(await serviceFor('astro/assets/services/sharp')).toEqual(ours);
});

test('an image service of the site or its adapter stays, unless the site sets `images: true`', async () => {
  expect(await serviceFor('astro/assets/services/noop')).toBeUndefined();
  expect(await serviceFor('@astrojs/vercel/build-image-service')).toBeUndefined();
  expect(await serviceFor('astro/assets/services/noop', { images: true })).toEqual(ours);
});

test('`images: false` keeps the image service', async () => {
  expect(await serviceFor('astro/assets/services/sharp', { images: false })).toBeUndefined();
});
