import type { LanguageItems } from '../../../entries/language-items.ts';
import type { MemoryReplica } from '../../../replica/memory/memory-replica.ts';
import type { SegmentItems } from '../../../replica/memory/segment-items.ts';
import type { SpaceCore } from '../../../space/space.ts';
import type { ContentVersion } from './content-version.ts';

interface ShownSegment {
  readonly segment: SegmentItems;
  readonly isShown: (id: number) => boolean;
}

/** The segments of a model in one language, and of the main language for what falls back to it. */
export function* segmentsOf(
  { settings: { languages } }: Pick<SpaceCore, 'settings'>,
  { model, fallback }: { readonly model: string; readonly fallback: boolean },
  { main, sub }: ContentVersion,
  { lang }: LanguageItems,
): Iterable<ShownSegment> {
  const own: MemoryReplica | undefined =
    lang === undefined || lang === languages?.main ? main : sub.get(lang);
  for (const segment of own?.segmentsOf(model) ?? []) yield { segment, isShown: () => true };
  if (!fallback || own === main) return;
  for (const segment of main.segmentsOf(model)) yield { segment, isShown: (id) => !own?.has(id) };
}
