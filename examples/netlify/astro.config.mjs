import netlify from '@astrojs/netlify';
import { cacheNetlify } from '@astrojs/netlify/cache';
import { defineConfig } from 'astro/config';
import luid from 'astro-luid/integration';
import { space } from './src/space.ts';

export default defineConfig({
  output: 'server',
  adapter: netlify(),
  cache: { provider: cacheNetlify() },
  integrations: [luid(space, { revalidate: true })],
});
