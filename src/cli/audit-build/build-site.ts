import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Runs in a process of its own, one per build: Astro and the modules of a site keep state.

/** The path of this file. */
export const BUILD_SITE = fileURLToPath(import.meta.url);

export interface BuildRequest {
  readonly root: string;
  readonly outDir: string;
  readonly cacheDir: string;
  /** The file that `SiteInfo` is written to. */
  readonly info: string;
}

/** What the audit needs to know of the site's configuration. */
export interface SiteInfo {
  readonly incremental: boolean;
}

interface AstroConfig {
  readonly experimental?: { readonly incrementalBuild?: boolean };
}
interface Astro {
  build(config: object): Promise<void>;
}

async function buildSite({ root, outDir, cacheDir, info }: BuildRequest): Promise<void> {
  const astro = createRequire(join(root, 'package.json')).resolve('astro');
  const { build } = (await import(pathToFileURL(astro).href)) as Astro;
  const audit = {
    name: 'luid-audit-build',
    hooks: {
      'astro:config:done'({ config }: { config: AstroConfig }) {
        const incremental = config.experimental?.incrementalBuild === true;
        writeFileSync(info, JSON.stringify({ incremental } satisfies SiteInfo));
        // Every page is rendered in every build: there is nothing to compare.
        if (!incremental) process.exit(0);
      },
    },
  };
  await build({ root, outDir, cacheDir, vite: { cacheDir: join(cacheDir, 'vite') }, integrations: [audit] });
}

if (process.argv[1] === BUILD_SITE) await buildSite(JSON.parse(process.argv[2] ?? '{}') as BuildRequest);
