// Shipped as it is: each file that Vite processes on servers and in builds imports it, because Node cannot import modules of
// Astro.
import { useAstroEnvironment } from 'astro-luid/internal/space';

useAstroEnvironment(
  (import.meta as { env?: { DEV?: boolean } }).env?.DEV === true,
  import('astro:env/server').then(({ getSecret }) => getSecret),
);
