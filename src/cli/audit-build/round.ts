import type { WireContent } from '../../contract/content.ts';
import { printable } from '../../printable.ts';
import type { Changes } from './changes.ts';
import type { ChangeKind, Finding } from './findings.ts';
import type { SiteModel } from './site-content.ts';

/** The change of one build. */
export interface Round {
  readonly change: ChangeKind;
  readonly model: SiteModel;
  readonly item: WireContent;
  /** Only these fields were changed. */
  readonly fields?: readonly string[];
  readonly lang?: string | undefined;
  readonly missing: Finding['missing'];
  readonly changes: Changes;
}

/** What a build changes, for people who wait for it. */
export function describeRound({ change, model, item, fields, lang }: Round): string {
  const what = `${printable(model.model)} ${printable(JSON.stringify(item._title), 40)}`;
  const details = {
    changed: fields ? `: other ${fields.map((name) => printable(name)).join(', ')}` : ': all fields changed',
    renamed: ': another slug',
    translated: `: all fields changed in ${printable(lang ?? '')}`,
    added: ': a copy added',
    removed: ': removed',
    reordered: ': another place in the order',
  };
  return what + details[change];
}
