import { type RunningEmulator, startEmulator } from '../../src/emulator/index.ts';
import { smallSeed } from '../fixtures/small-space.ts';
import { WAIT_LIMIT } from '../support/until.ts';
import { type AstroServer, startAstro } from './server.ts';
import { createSite } from './site.ts';

export interface DevSite extends AstroServer {
  readonly service: RunningEmulator;
  /** Changes files of the site. */
  write(files: Record<string, string>): void;
  /** Resolves as soon as a page has a text. */
  shows(path: string, text: string): Promise<void>;
  /** Asks for a refresh, as a hook would. */
  refresh(secret: string): Promise<Response>;
}

/** A site of these files under a real `astro dev`, with an emulator of its own. */
export async function startDevSite(
  files: Record<string, string>,
  environment: NodeJS.ProcessEnv = {},
): Promise<DevSite> {
  const { seed, directory } = smallSeed();
  const service = await startEmulator(seed, { directory });
  const { folder, write, remove } = createSite({ '.env': dotEnv(service), ...files }, {});
  const clear = async () => {
    await service.close();
    remove();
  };
  const server = await startAstro(['dev', '--ignore-lock'], folder, environment).catch(async (error) => {
    await clear();
    throw error;
  });

  return {
    ...server,
    service,
    write,
    async shows(path, text) {
      const end = Date.now() + WAIT_LIMIT;
      for (;;) {
        const found = await server.page(path);
        if (found.includes(text)) return;
        if (Date.now() > end)
          throw new Error(`no ${JSON.stringify(text)} within ${WAIT_LIMIT} ms in ${found}\n${server.log()}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    refresh: (secret) =>
      fetch(new URL('/_luid/refresh', server.url), { method: 'POST', headers: { 'x-luid-secret': secret } }),
    async close() {
      await server.close();
      await clear();
    },
  };
}

/** The emulator as a site's .env names it. */
export function dotEnv({ baseUrl, assetsUrl }: RunningEmulator): string {
  return [
    `LUID_BASE_URL=${baseUrl}`,
    `LUID_ASSETS_URL=${assetsUrl}`,
    'LUID_API_KEY=published-key',
    'LUID_DRAFT_API_KEY=draft-key',
  ].join('\n');
}
