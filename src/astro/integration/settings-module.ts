/** What the plugin needs of Vite's dev server. */
interface DevServer {
  readonly environments: Readonly<Record<string, Environment>>;
}

interface Environment {
  readonly moduleGraph: {
    // biome-ignore lint/suspicious/noExplicitAny: Vite's modules, which this file only passes on.
    getModuleById(id: string): any;
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    invalidateModule(module: any): void;
  };
  readonly hot: { send(event: string, data: object): void };
}

/** A Vite plugin that passes settings to the code in the server, as the default export of a virtual module. */
export function settingsModule(name: string, settings: object, otherExports = '') {
  const id = `virtual:astro-luid/${name}`;
  let server: DevServer | undefined;
  return {
    name: `astro-luid:${name}`,
    configureServer(started: DevServer) {
      server = started;
    },
    resolveId: (requested: string) => (requested === id ? `\0${id}` : undefined),
    load: (requested: string) =>
      requested === `\0${id}` ? `export default ${JSON.stringify(settings)};${otherExports}` : undefined,
    /** Lets a dev server that is running use settings that have changed. */
    invalidate() {
      for (const { moduleGraph, hot } of Object.values(server?.environments ?? {})) {
        const module = moduleGraph.getModuleById(`\0${id}`);
        if (!module) continue;
        moduleGraph.invalidateModule(module);
        // Astro keeps the middleware until then.
        hot.send('astro:middleware-updated', {});
      }
    },
  };
}
