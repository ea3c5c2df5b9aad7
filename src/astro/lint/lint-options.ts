import { RULES, type RuleSettings } from '../../entries/lint/lint.ts';
import type { RouteOptions } from '../../entries/routes/content-route.ts';
import { isRecord } from '../../shared/is-record.ts';
import { either, literal, type OptionRule, type OptionRules, object, string } from '../../shared/options.ts';

/** `luid(space, { lint: { … } })`: for `luid lint`, and for the toolbar of `astro dev`. */
export interface LintOptions {
  /** `'error'`, `'warning'` or `'off'` by the name of a rule. */
  readonly rules?: RuleSettings | undefined;
  /**
   * Which content the pages show, so that links to it can be checked: `{ route: '/articles/[id]' }`. A string is a path or
   * pattern that exists although `src/pages` does not have it: `'/docs/[...slug]'`.
   */
  readonly routes?: readonly (string | RouteOptions)[] | undefined;
}

const ROUTE_OPTIONS = { route: string, model: string, id: string, lang: string } satisfies Record<
  keyof RouteOptions,
  OptionRule
>;

/** Whether a value is an object of these options, of which `route` is required. */
export function isRouteOptions(value: unknown, others: OptionRules = {}): boolean {
  const rules: OptionRules = { ...ROUTE_OPTIONS, ...others };
  if (!isRecord(value) || typeof value.route !== 'string') return false;
  return Object.entries(value).every(
    ([name, one]) => Object.hasOwn(rules, name) && (one === undefined || rules[name]?.accepts(one)),
  );
}

const severity = either(literal('error'), literal('warning'), literal('off'));

export const LINT_OPTIONS = object({
  rules: object(Object.fromEntries(RULES.map(({ name }) => [name, severity]))),
  routes: {
    expected: "a list of paths and of { route, model, id, lang }, such as [{ route: '/articles/[id]' }]",
    accepts: (value) =>
      Array.isArray(value) &&
      value.every((one) => (typeof one === 'string' ? one.startsWith('/') : isRouteOptions(one))),
  },
} satisfies Record<keyof LintOptions, OptionRule>);
