/** What files that Vite processes import by the name of this package. */
const INTERNAL = ['astro-luid/internal/space', 'astro-luid/internal/server'];

/**
 * A plugin for Vite: while it loads content and in the dev server, Node imports this package. Vite does so by itself for a package that is
 * installed, but not for one that is linked: then the site and this integration would each have a copy of it.
 */
export const leaveToNode = {
  name: 'astro-luid:leave-to-node',
  apply: 'serve',
  enforce: 'post',
  configEnvironment(_name: string, { resolve }: { resolve?: { noExternal?: unknown } }) {
    // Another runtime than Node, such as a Worker, gets everything from Vite.
    return resolve?.noExternal === true ? undefined : { resolve: { external: INTERNAL } };
  },
} as const;
