import type { LanguageItems } from '../../../entries/language-items.ts';
import type { Content } from '../../../replica/content/content.ts';
import type { SegmentItems } from '../../../replica/content/segment-items.ts';
import type { Replica } from '../../../replica/replica.ts';
import type { SpaceCore } from '../../../space/space.ts';

interface ShownSegment {
  readonly segment: SegmentItems;
  readonly isShown: (id: number) => boolean;
}

/** The segments of a model in one language, and of the main language for what falls back to it. */
export function* shownSegments(
  { settings: { languages } }: Pick<SpaceCore, 'settings'>,
  { model, fallback }: { readonly model: string; readonly fallback: boolean },
  { main, sub }: Content,
  { lang }: LanguageItems,
): Iterable<ShownSegment> {
  const own: Replica | undefined = lang === undefined || lang === languages?.main ? main : sub.get(lang);
  for (const segment of own?.segmentsOf(model) ?? []) yield { segment, isShown: () => true };
  if (!fallback || own === main) return;
  for (const segment of main.segmentsOf(model)) yield { segment, isShown: (id) => !own?.has(id) };
}
