import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { AstroIntegration } from 'astro';
import type { Space } from './space.ts';

/** Lets Astro's own image components use pictures of the space. */
export default function luid(space: Pick<Space, 'settings'>): AstroIntegration {
  return {
    name: 'astro-luid',
    hooks: {
      'astro:config:setup': ({ config, command, updateConfig, logger }) => {
        const mode = command === 'dev' ? 'development' : 'production';
        const assetsUrl = space.settings.assetsUrl || readEnv(config.root, mode).LUID_ASSETS_URL;
        if (!assetsUrl) {
          logger.warn(
            'No assets address: set LUID_ASSETS_URL or assetsUrl, so that Astro may use pictures from it.',
          );
          return;
        }
        updateConfig({ image: { remotePatterns: [patternOf(new URL(assetsUrl))] } });
      },
    },
  };
}

/** Everything below the assets address, and nothing beside it. */
function patternOf({ protocol, hostname, port, pathname }: URL) {
  return { protocol: protocol.slice(0, -1), hostname, port, pathname: `${pathname.replace(/\/$/, '')}/**` };
}

/** The environment as Astro will have it once it runs: its files cannot be seen from astro.config otherwise. */
function readEnv(root: URL, mode: string): NodeJS.Dict<string> {
  const files = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`].map(
    (name) => new URL(name, root),
  );
  const values = files.filter((file) => existsSync(file)).map((file) => parseEnv(readFileSync(file, 'utf8')));
  return Object.assign({}, ...values, process.env);
}
