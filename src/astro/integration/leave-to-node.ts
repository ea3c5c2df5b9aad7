/** What files that Vite processes import by the name of this package. */
const INTERNAL = ['space', 'server', 'image-service'].map((name) => `astro-luid/internal/${name}`);

/** In which Astro loads content, also in a build. */
const ASTRO_ENVIRONMENT = 'astro';

/**
 * A plugin for Vite: where content is loaded, and in the dev server, Node imports this package. Vite does so by itself for a
 * package that is installed, but not for one that is linked: then the site and this integration would have a copy each.
 */
export const leaveToNode = {
  name: 'astro-luid:leave-to-node',
  enforce: 'post',
  configEnvironment(
    name: string,
    { resolve }: { resolve?: { noExternal?: unknown } },
    { command }: { command: string },
  ) {
    const isBundled = command === 'build' && name !== ASTRO_ENVIRONMENT;
    // Another runtime than Node, such as a Worker, gets everything from Vite.
    return isBundled || resolve?.noExternal === true ? undefined : { resolve: { external: INTERNAL } };
  },
} as const;
