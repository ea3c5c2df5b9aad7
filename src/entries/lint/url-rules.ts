import type { LintedText } from './linted-item.ts';
import { allItems, type LintedContent, type Rule } from './rule.ts';
import { quote } from './text-rules.ts';

/** Hosts that no visitor can reach, and names that only staging has. */
const LOCAL =
  /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|\[::1\]|.+\.(?:local|internal|localhost))$/i;
const STAGING = /^(?:staging|stage|stg|preprod|uat)\d*(?:[-.]|$)|^[^.]+-(?:staging|stg)\./i;
/** Names that others may use for something public: only of the site's own domain. */
const OWN_STAGING = /^(?:dev|develop|development|test|testing|preview|demo|qa|old|new)\d*[-.]/i;

const URLS = /https?:\/\/[^\s"'<>()[\]{}|\\^`「」『』（）【】、。，．！？]{1,500}/gi;

export const URL_RULES: readonly Rule[] = [
  {
    name: 'insecure-url',
    severity: 'warning',
    about: 'links and images with http://',
    fix: 'Write https://, if the site has it.',
    *find(content) {
      for (const { item, field, url, host } of urlsOf(content)) {
        if (/^http:/i.test(url) && !isStaging(host, content.site.host)) {
          yield { item, field, message: `${quote(url)} is not encrypted` };
        }
      }
    },
  },
  {
    name: 'staging-url',
    severity: 'error',
    about: 'links and images of staging or local hosts',
    fix: 'Replace it by the public URL.',
    *find(content) {
      for (const { item, field, url, host } of urlsOf(content)) {
        if (isStaging(host, content.site.host)) {
          yield { item, field, message: `${quote(url)} leads to a host that is not public` };
        }
      }
    },
  },
  {
    name: 'secret',
    severity: 'error',
    about: 'text that looks like a key, a token or a password',
    fix: 'Remove it, and replace the secret where it is used: it has been published.',
    *find(content) {
      for (const item of allItems(content)) {
        for (const { path, value } of item.texts) {
          const found = SECRETS.flatMap((pattern) => value.match(pattern)?.[0] ?? [])[0];
          if (found !== undefined) {
            yield { item, field: path, message: `${quote(redact(found))} looks like a secret` };
          }
        }
      }
    },
  },
];

const TOKENS = [
  'AKIA[0-9A-Z]{16}',
  'gh[pousr]_[A-Za-z0-9]{36}',
  'github_pat_\\w{50}',
  'xox[abprs]-[\\w-]{10,200}',
  '[rs]k_live_[A-Za-z0-9]{20}',
  'AIza[\\w-]{35}',
  'npm_[A-Za-z0-9]{36}',
  'sk-(?:ant-|proj-)?[A-Za-z0-9_-]{32}',
  'eyJ[\\w-]{10,500}\\.eyJ[\\w-]{10,2000}\\.[\\w-]{10}',
];
const TOKEN = `(?<![\\w-])(?:${TOKENS.join('|')})`;
const PRIVATE_KEY = '-----BEGIN (?:[A-Z]{1,20} )?PRIVATE KEY-----';
/** A name such as パスワード, and a value with letters and digits. */
const NAMED =
  '(?:password|passwd|pwd|api[ _-]?key|secret[ _-]?key|access[ _-]?token|パスワード|暗証番号|APIキー|秘密鍵)\\s{0,3}[:=：＝]\\s{0,3}["\']?(?=[!-~]{0,80}\\d)(?=[!-~]{0,80}[A-Za-z])(?![!-~]{0,20}[<>])[!-~]{8,80}';
// Apart: with flags that all of them need, matching takes three times as long.
const SECRETS = [new RegExp(`${TOKEN}|${PRIVATE_KEY}`, 'g'), new RegExp(NAMED, 'gi')];

/** The text without what looks like a secret: reports are stored and read by others. */
export function redact(text: string): string {
  return SECRETS.reduce(
    (shown, pattern) => shown.replaceAll(pattern, (found) => `${found.slice(0, 4)}…`),
    text,
  );
}

const HOST = /^https?:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]+)/i;

function* urlsOf(content: LintedContent) {
  for (const item of allItems(content)) {
    for (const text of item.texts) {
      for (const url of new Set(urlsIn(text))) {
        const host = HOST.exec(url)?.[1];
        if (host !== undefined) yield { item, field: text.path, url, host: host.toLowerCase() };
      }
    }
  }
}

function urlsIn({ value, parts }: LintedText): readonly string[] {
  if (parts) return [...parts.links, ...parts.images.map(({ src }) => src)];
  return value.includes('://') ? (value.match(URLS) ?? []) : [];
}

function isStaging(host: string, siteHost: string | undefined): boolean {
  if (LOCAL.test(host) || STAGING.test(host)) return true;
  return siteHost !== undefined && host.endsWith(`.${siteHost}`) && OWN_STAGING.test(host);
}
