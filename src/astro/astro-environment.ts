// Shipped as it is: Vite processes it, because Node cannot import modules of Astro.
import type { AstroEnvironment } from '../space/astro-environment.ts';

export const astro: AstroEnvironment = {
  isDev: (import.meta as { env?: { DEV?: boolean } }).env?.DEV === true,
  // Bundlers that do not know the module leave an import alone whose failure is handled.
  importGetSecret: () =>
    import('astro:env/server').then(
      ({ getSecret }) => getSecret,
      () => undefined,
    ),
};
