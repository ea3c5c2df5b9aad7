import type { ReferencedCollection } from '../../entries/collection.ts';
import { usesLanguages } from '../../entries/language-content.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import type { LoadedCollection } from '../../space/runtime.ts';
import type { RunningSpace, SpaceCore } from '../../space/space.ts';
import type { CollectionSettings } from '../collection/options/loader-options.ts';

/** The collections that the reference fields of a collection point into, by field. */
export function referencesOf(
  space: RunningSpace,
  settings: CollectionSettings,
  collection: string,
): Map<string, ReferencedCollection> {
  const { collections } = space.runtime;
  return new Map(
    Object.entries(settings.references).map(([luid, name]) => {
      const target = collections.get(name);
      const place = `${collection}: references.${luid}`;
      if (!target) {
        throw new LuidConfigError(
          `${place} leads to ${JSON.stringify(name)}, which is not a collection of this space`,
          {
            field: luid,
            hint: `Use one of ${[...collections.keys()].join(', ')}.`,
          },
        );
      }
      if (target.drafts !== settings.drafts) {
        const [its, own] = target.drafts ? ['drafts', 'published content'] : ['published content', 'drafts'];
        throw new LuidConfigError(
          `${place} leads to ${JSON.stringify(name)}, which has ${its}, and this collection has ${own}`,
          {
            field: luid,
            hint: 'Set `drafts` in both or in none.',
          },
        );
      }
      checkTargetLanguage(place, space, settings, { name, ...target });
      return [luid, { collection: name, rule: target.rule }] as const;
    }),
  );
}

/** The content of sub-languages is read only for collections that use languages. */
export function checkTargetLanguage(
  place: string,
  { settings: { languages } }: Pick<SpaceCore, 'settings'>,
  { rule }: Pick<CollectionSettings, 'rule'>,
  target: Pick<LoadedCollection, 'rule'> & { readonly name: string },
): void {
  const { lang } = target.rule;
  if (lang === undefined || lang === languages?.main || usesLanguages(rule)) return;
  throw new LuidConfigError(
    `${place} leads to ${JSON.stringify(target.name)}, which has lang: ${JSON.stringify(lang)}, and this collection uses no languages`,
    { hint: `Set lang: ${JSON.stringify(languages?.main)} in this collection.` },
  );
}

/** The collections that decide the ids in a collection: itself, and those that it refers to. */
export function collectionsWithIds(
  { runtime: { collections } }: RunningSpace,
  settings: CollectionSettings,
): LoadedCollection[] {
  return [settings, ...Object.values(settings.references).flatMap((name) => collections.get(name) ?? [])];
}
