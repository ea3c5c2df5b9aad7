import { FIELD_RULES } from './field-rules.ts';
import type { Finding } from './finding.ts';
import { IMAGE_RULES } from './image-rules.ts';
import { LINK_RULES } from './link-rules.ts';
import { findLinks } from './links.ts';
import { REFERENCE_RULES } from './reference-rules.ts';
import type { Rule, Severity, SpaceContent } from './rule.ts';
import { redact } from './secrets.ts';
import { TEXT_RULES } from './text-rules.ts';
import { URL_RULES } from './url-rules.ts';

export const RULES: readonly Rule[] = [
  ...LINK_RULES,
  ...REFERENCE_RULES,
  ...FIELD_RULES,
  ...IMAGE_RULES,
  ...URL_RULES,
  ...TEXT_RULES,
];

/** What a site makes of rules, by name. */
export type RuleSettings = Readonly<Record<string, Severity | 'off' | undefined>>;

/** All findings, in an order that depends on nothing but the content. */
export function lint(space: SpaceContent, settings: RuleSettings = {}): Finding[] {
  const content = { ...space, ...findLinks(space) };
  const byKey = new Map<string, Finding>();
  for (const { name: rule, fix, ...own } of RULES) {
    const severity = settings[rule] ?? own.severity;
    if (severity === 'off') continue;
    for (const { item, field, message } of own.find(content)) {
      const { id, model, lang } = item;
      // Other languages share fields that are not translated.
      const key = JSON.stringify([rule, id, field, message]);
      if (byKey.has(key)) continue;
      const title = redact(item.title);
      byKey.set(key, { rule, severity, model, id, ...(lang && { lang }), title, field, message, fix });
    }
  }
  return [...byKey.values()].sort(
    (a, b) => compare(a.model, b.model) || a.id - b.id || compare(a.lang ?? '', b.lang ?? ''),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
