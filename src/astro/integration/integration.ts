import type { AstroIntegration } from 'astro';
import { parseHttpUrl } from '../../client/http/parse-http-url.ts';
import { LuidConfigError } from '../../errors.ts';
import { type Environment, readEnvironment } from '../../space/env-files.ts';
import { parseSwitch } from '../../space/environment.ts';
import { isSpace } from '../../space/space-file.ts';
import type { PolledSpace } from '../dev/dev-heads.ts';
import { keepFresh } from '../dev/dev-server.ts';
import { warnOfDrafts, warnOfSameKeys } from '../dev/draft-warnings.ts';
import { clearReports } from '../dev/load-reports.ts';
import { throwWithOneHint, withOneHint } from '../loader/one-hint.ts';
import { noteRoutes } from '../loader/site-routes.ts';
import { checkIntegrationOptions, type IntegrationOptions, pollInterval } from './integration-options.ts';
import { findSpace } from './integration-space.ts';

export type { IntegrationOptions };

/**
 * Lets Astro use pictures of the space, keeps `astro dev` up to date, and warns of drafts in a build.
 * Without a space it takes the one that `src/space.ts` exports.
 */
export default function luid(options?: IntegrationOptions): AstroIntegration;
export default function luid(space: PolledSpace | undefined, options?: IntegrationOptions): AstroIntegration;
export default function luid(
  first: PolledSpace | IntegrationOptions = {},
  second?: IntegrationOptions,
): AstroIntegration {
  const given = isSpace(first) ? first : undefined;
  if (!given && second !== undefined && Object.keys(first).length > 0) {
    throw new LuidConfigError('luid: the first argument is not a space', {
      hint: 'Pass what defineSpace() returns, or only the options.',
    });
  }
  const options = second ?? (given ? {} : (first as IntegrationOptions));
  const interval = withOneHint(() => {
    checkIntegrationOptions(options);
    return pollInterval(options.poll);
  });
  // Where none is given it is found in the first hook.
  let space = given as PolledSpace;
  let environment: Environment = {};
  let isDev = false;
  let restarted = false;
  let close: (() => void) | undefined;

  return {
    name: 'astro-luid',
    hooks: {
      'astro:config:setup': async ({ config, command, isRestart, logger, ...setup }) => {
        const { updateConfig, addDevToolbarApp, addWatchFile } = setup;
        environment = readEnvironment(config.root, command === 'dev' ? 'development' : 'production');
        isDev = command === 'dev';
        restarted = isRestart;
        if (!given) {
          const found = await findSpace(config, environment).catch(throwWithOneHint);
          // As for the configuration itself, a change restarts the dev server.
          for (const file of found.files) addWatchFile(file);
          space = found.space;
        }
        // A dev server that restarts goes on with what it has loaded.
        if (!restarted) clearReports();
        if (isDev) addDevToolbarApp(TOOLBAR_APP);
        const configured = space.settings.assetsUrl || environment.LUID_ASSETS_URL;
        if (!configured) {
          logger.warn(
            'No assets URL: set LUID_ASSETS_URL or `assetsUrl`, so that Astro may use images from it.',
          );
          return;
        }
        const assetsUrl = withOneHint(() => parseHttpUrl('assetsUrl', 'LUID_ASSETS_URL', configured));
        const service = { entrypoint: 'astro-luid/image-service', config: { assetsUrl } };
        const remotePatterns = [patternOf(new URL(assetsUrl))];
        const { images = config.image?.service?.entrypoint === DEFAULT_IMAGE_SERVICE } = options;
        updateConfig({ image: { remotePatterns, ...(images && { service }) } });
      },
      'astro:routes:resolved': ({ routes }) => noteRoutes(routes),
      'astro:server:setup': (setup) => {
        // A build loads its content by a dev server, too, which nothing needs to keep fresh.
        if (!isDev) return;
        const secret = options.refreshSecret || environment.LUID_REFRESH_SECRET;
        const { editUrl } = options;
        const isOffline = parseSwitch('LUID_OFFLINE', environment.LUID_OFFLINE);
        const polling = isOffline ? false : interval;
        close = keepFresh({ space, environment, interval: polling, secret, editUrl, restarted }, setup);
      },
      'astro:server:done': () => close?.(),
      'astro:build:start': ({ logger }) => warnOfSameKeys(space, environment, logger),
      'astro:build:done': ({ logger }) => warnOfDrafts(space, logger),
    },
  };
}

const TOOLBAR_APP = {
  id: 'astro-luid',
  name: 'Content',
  icon: '<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"><ellipse cx="8" cy="4" rx="5" ry="2.2"/><path d="M3 4v8c0 1.2 2.2 2.2 5 2.2s5-1 5-2.2V4M3 8c0 1.2 2.2 2.2 5 2.2s5-1 5-2.2"/></svg>',
  entrypoint: new URL('../dev/toolbar-app.js', import.meta.url),
} as const;

const DEFAULT_IMAGE_SERVICE = 'astro/assets/services/sharp';

/** Everything below the assets address, and nothing beside it. */
function patternOf({ protocol, hostname, port, pathname }: URL) {
  return { protocol: protocol.slice(0, -1), hostname, port, pathname: `${pathname.replace(/\/$/, '')}/**` };
}
