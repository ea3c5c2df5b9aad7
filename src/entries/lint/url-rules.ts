import { inEachItem, quote, type Rule } from './rule.ts';

/** Hosts that no visitor can reach, and names that only staging has. */
const LOCAL =
  /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|\[::1\]|.+\.(?:local|internal|localhost))$/i;
const STAGING = /^(?:staging|stage|stg|preprod|uat)\d*(?:[-.]|$)|^[^.]+-(?:staging|stg)\./i;
/** Names that others may use for something public: only of the site's own domain. */
const OWN_STAGING = /^(?:dev|develop|development|test|testing|preview|demo|qa|old|new)\d*[-.]/i;

export const URL_RULES: readonly Rule[] = [
  {
    name: 'insecure-url',
    severity: 'warning',
    about: 'links and images with http://',
    fix: 'Write https://, if the site has it.',
    find: inUrls('is not encrypted', (url, host) => /^http:/i.test(url) && !isStaging(url, host)),
  },
  {
    name: 'staging-url',
    severity: 'error',
    about: 'links and images of staging or local hosts',
    fix: 'Replace it by the public URL.',
    find: inUrls('leads to a host that is not public', isStaging),
  },
];

function inUrls(
  problem: string,
  isWrong: (url: string, siteHost: string | undefined) => boolean,
): Rule['find'] {
  return inEachItem(({ texts }, { site }) =>
    texts.flatMap(({ path, urls }) =>
      [...urls]
        .filter((url) => isWrong(url, site.host))
        .map((url) => ({ field: path, message: `${quote(url)} ${problem}` })),
    ),
  );
}

const HOST = /^https?:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]+)/i;

function isStaging(url: string, siteHost: string | undefined): boolean {
  const host = HOST.exec(url)?.[1]?.toLowerCase() ?? '';
  if (LOCAL.test(host) || STAGING.test(host)) return true;
  return siteHost !== undefined && host.endsWith(`.${siteHost}`) && OWN_STAGING.test(host);
}
