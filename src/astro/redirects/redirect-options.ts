import { type ContentRoute, contentRoute, type RouteOptions } from '../../entries/routes/content-route.ts';
import type { OptionRule } from '../../shared/options.ts';
import { type Duration, duration, milliseconds } from '../../space/duration.ts';
import type { SpaceCore } from '../../space/space.ts';
import { isRouteOptions } from '../lint/lint-options.ts';

/** `luid(space, { redirects: { … } })`: redirects from the former URLs of content whose slug has changed. */
export interface RedirectOptions extends RouteOptions {
  /** How long a former URL is redirected. Default `'1y'`. */
  readonly keep?: Duration | undefined;
}

export interface RedirectedRoute extends ContentRoute {
  /** Milliseconds. */
  readonly keep: number;
}

export const REDIRECT_OPTIONS: OptionRule = {
  expected:
    "{ route, model, id, lang, keep } or a list of them, such as { route: '/articles/[id]', keep: '1y' }",
  accepts: (value) => [value].flat().every((one) => isRouteOptions(one, { keep: duration })),
};

/** Throws if one of them does not say which content it shows. */
export function redirectedRoutes(
  options: RedirectOptions | readonly RedirectOptions[],
  { models, settings: { languages } }: Pick<SpaceCore, 'models' | 'settings'>,
): RedirectedRoute[] {
  return [options].flat().map((route: RedirectOptions) => ({
    ...contentRoute(route, { models, languages }, 'luid: redirects'),
    keep: milliseconds(route.keep ?? '1y', 'redirects.keep'),
  }));
}
