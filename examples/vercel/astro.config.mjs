import vercel from '@astrojs/vercel';
import { cacheVercel } from '@astrojs/vercel/cache';
import { defineConfig } from 'astro/config';
import luid from 'astro-luid/integration';
import { space } from './src/space.ts';

export default defineConfig({
  output: 'server',
  adapter: vercel(),
  cache: { provider: cacheVercel() },
  integrations: [luid(space, { revalidate: true })],
});
