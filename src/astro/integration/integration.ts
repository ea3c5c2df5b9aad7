import { fileURLToPath } from 'node:url';
import type { AstroIntegration, HookParameters } from 'astro';
import { parseHttpUrl } from '../../client/http/parse-http-url.ts';
import { needsPlaceholders } from '../../entries/item-images.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { loadLanguage, localizedLogger } from '../../shared/messages/load-language.ts';
import { type Environment, readEnvironment } from '../../space/environment/env-files.ts';
import { findSettingIn, parseSwitch } from '../../space/environment/environment.ts';
import { checkSecretLength } from '../../space/environment/secret-length.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import { isSpace } from '../../space/space-file.ts';
import { clearCollectionStatuses } from '../collection-status.ts';
import { keepContentFresh } from '../dev/dev-server.ts';
import { createPageFindings } from '../dev/page-findings.ts';
import { errorForAstro } from '../error-for-astro.ts';
import { recordRoutes } from '../loader/site-routes.ts';
import { warnAboutDrafts, warnAboutSharedKey } from './build-warnings.ts';
import { commandMode } from './command-mode.ts';
import { hostWarnings } from './host-warnings.ts';
import {
  checkIntegrationOptions,
  type IntegrationOptions,
  PASSED_OPTIONS,
  type PassedOptions,
  pollInterval,
} from './integration-options.ts';
import { findSpace } from './integration-space.ts';
import { leaveToNode } from './leave-to-node.ts';
import { addPreview } from './preview-setup.ts';
import { addRevalidation, findLiveConfig, hasMemoryCache } from './revalidation-setup.ts';

export type { IntegrationOptions };

/**
 * Lets Astro use images of the space, refreshes the content of `astro dev`, and warns about drafts in a build.
 * Without a space it uses the one that `src/space.ts` exports.
 */
export default function luid(options?: IntegrationOptions): AstroIntegration;
export default function luid(
  space: ConnectedSpace | undefined,
  options?: IntegrationOptions,
): AstroIntegration;
export default function luid(
  first: ConnectedSpace | IntegrationOptions = {},
  second?: IntegrationOptions,
): AstroIntegration {
  const passedSpace = isSpace(first) ? first : undefined;
  const options = second ?? (passedSpace ? {} : (first as IntegrationOptions));
  try {
    if (!passedSpace && second !== undefined && Object.keys(first).length > 0) {
      throw new LuidConfigError('luid: the first argument is not a space', {
        hint: 'Pass what defineSpace() returns, or only the options.',
      });
    }
    checkIntegrationOptions(options);
    const passed: PassedOptions = { space: passedSpace, options };
    const integration = createIntegration(passedSpace, options, pollInterval(options.poll));
    return Object.assign(integration, { [PASSED_OPTIONS]: passed });
  } catch (error) {
    throwIntoAstro(error);
  }
}

function createIntegration(
  passedSpace: ConnectedSpace | undefined,
  options: IntegrationOptions,
  interval: number | false,
): AstroIntegration {
  // If none was passed, the first hook finds it.
  let space = passedSpace as ConnectedSpace;
  let environment: Environment = {};
  let isDev = false;
  let isRestart = false;
  let base = '/';
  let astroConfig: Parameters<typeof createPageFindings>[0]['config'];
  let close: (() => void) | undefined;
  let addPreviewRoutes: Awaited<ReturnType<typeof addPreview>>;
  let useConfig: ReturnType<typeof addRevalidation>;
  let warnings: readonly string[] = [];

  async function setUp(setup: HookParameters<'astro:config:setup'>): Promise<void> {
    await loadLanguage();
    const { config, command, updateConfig, addDevToolbarApp, addWatchFile } = setup;
    const logger = localizedLogger(setup.logger);
    environment = await readEnvironment({
      root: fileURLToPath(config.root),
      envDir: config.vite?.envDir,
      mode: commandMode(command),
    });
    isDev = command === 'dev';
    isRestart = setup.isRestart;
    const { LUID_REFRESH_SECRET, LUID_PREVIEW_SECRET } = environment;
    if (isDev || options.revalidate || options.preview)
      checkSecretLength('LUID_REFRESH_SECRET', LUID_REFRESH_SECRET);
    if (options.preview) checkSecretLength('LUID_PREVIEW_SECRET', LUID_PREVIEW_SECRET);
    if (!passedSpace) {
      const found = await findSpace(config, environment);
      // A change of the space restarts the dev server, like one of astro.config.
      for (const file of found.files) addWatchFile(file);
      space = found.space;
    }
    space = withBaseUrl(space, environment);
    // A dev server that restarts keeps the content that it has loaded.
    if (!isRestart) clearCollectionStatuses();
    updateConfig({ vite: { plugins: [leaveToNode] } });
    if (isDev) addDevToolbarApp(TOOLBAR_APP);
    if (options.revalidate || options.preview) useConfig = addRevalidation(setup, options);
    if (options.preview) addPreviewRoutes = await addPreview(setup, options);
    if (options.redirects) {
      const { addRedirects } = await import('../redirects/add-redirects.ts');
      await addRedirects(setup, space, environment, options.redirects);
    }
    // `page-ssr`: in every page, because text can contain images too.
    if (needsPlaceholders(space.models))
      setup.injectScript('page-ssr', "import 'astro-luid/placeholder.css';");
    const configured = findSettingIn(environment, 'assetsUrl', space.settings);
    if (!configured) {
      logger.warn('No assets URL: set LUID_ASSETS_URL or `assetsUrl`, so that Astro may use images from it.');
      return;
    }
    const assetsUrl = parseHttpUrl('assetsUrl', 'LUID_ASSETS_URL', configured);
    const service = { entrypoint: 'astro-luid/image-service', config: { assetsUrl } };
    const remotePatterns = [remotePattern(new URL(assetsUrl))];
    const { images = config.image?.service?.entrypoint === DEFAULT_IMAGE_SERVICE } = options;
    updateConfig({ image: { remotePatterns, ...(images && { service }) } });
  }

  function startDev(setup: HookParameters<'astro:server:setup'>): void {
    // A build runs a dev server to load its content; it needs no refresh.
    if (!isDev) return;
    const secret = options.refreshSecret || environment.LUID_REFRESH_SECRET;
    const { editUrl, refreshHeader } = options;
    const isOffline = parseSwitch('LUID_OFFLINE', environment.LUID_OFFLINE);
    const findings = createPageFindings({ space, environment, options, config: astroConfig });
    const dev = { space, environment, secret, header: refreshHeader, base, editUrl, isRestart, findings };
    close = keepContentFresh({ ...dev, interval, isOffline }, setup);
  }

  return {
    name: 'astro-luid',
    hooks: {
      'astro:config:setup': (setup) => setUp(setup).catch(throwIntoAstro),
      'astro:config:done': ({ config }) => {
        base = config.base;
        astroConfig = config;
        useConfig?.(config);
        const { adapter, root, srcDir } = config;
        const isLive = findLiveConfig(srcDir) !== undefined;
        warnings = hostWarnings({
          adapter: adapter?.name,
          root,
          isLive,
          hasMemoryCache: hasMemoryCache(config),
          space,
          options,
        });
      },
      'astro:routes:resolved': ({ routes }) => {
        recordRoutes(routes);
        addPreviewRoutes?.(routes);
      },
      'astro:server:setup': (setup) => {
        try {
          startDev(setup);
        } catch (error) {
          throwIntoAstro(error);
        }
      },
      'astro:server:done': () => close?.(),
      'astro:build:start': async ({ logger }) => {
        for (const warning of warnings) logger.warn(warning);
        await warnAboutSharedKey(space, environment, localizedLogger(logger));
      },
      'astro:build:done': ({ logger }) => warnAboutDrafts(space, localizedLogger(logger)),
    },
  };
}

/** Tells the collections of this space from those of others, also if the environment has its URL. */
function withBaseUrl(space: ConnectedSpace, environment: Environment): ConnectedSpace {
  const baseUrl = findSettingIn(environment, 'baseUrl', space.settings);
  return baseUrl ? { ...space, settings: { ...space.settings, baseUrl } } : space;
}

function throwIntoAstro(error: unknown): never {
  throw errorForAstro(error);
}

const TOOLBAR_APP = {
  id: 'astro-luid',
  name: 'Content',
  icon: '<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"><ellipse cx="8" cy="4" rx="5" ry="2.2"/><path d="M3 4v8c0 1.2 2.2 2.2 5 2.2s5-1 5-2.2V4M3 8c0 1.2 2.2 2.2 5 2.2s5-1 5-2.2"/></svg>',
  entrypoint: new URL('../dev/toolbar-app.js', import.meta.url),
} as const;

const DEFAULT_IMAGE_SERVICE = 'astro/assets/services/sharp';

/** Allows every URL below the assets URL, and no other. */
function remotePattern({ protocol, hostname, port, pathname }: URL) {
  return { protocol: protocol.slice(0, -1), hostname, port, pathname: `${pathname.replace(/\/$/, '')}/**` };
}
