import type luid from './integration.ts';

/**
 * The integration, for `import luid from 'astro-luid'` as `astro add` writes it. The implementation is imported when
 * Astro starts, because pages import this package too and must not load it.
 */
const rootIntegration = ((...options: Parameters<typeof luid>) => ({
  name: 'astro-luid:setup',
  hooks: {
    'astro:config:setup': async ({ updateConfig }) => {
      // Outside of Node, built as a function of src/platform.
      const { default: integration } = await import('./integration.ts');
      updateConfig({ integrations: [integration(...options)] });
    },
  },
})) as typeof luid;

export default rootIntegration;
