import cloudflare from '@astrojs/cloudflare';
import { cacheCloudflare } from '@astrojs/cloudflare/cache';
import { defineConfig } from 'astro/config';
import luid from 'astro-luid/integration';
import { space } from './src/space.ts';

export default defineConfig({
  output: 'server',
  adapter: cloudflare({ imageService: 'passthrough' }),
  cache: { provider: cacheCloudflare() },
  integrations: [luid(space, { revalidate: true })],
});
