import type { StudioSpace } from '../../../studio-types.ts';

const names = new Intl.DisplayNames(['en'], { type: 'language' });

/** Such as `English`; the language key itself if it is not a language tag. */
export function languageName(lang: string): string {
  try {
    return names.of(lang) ?? lang;
  } catch {
    return lang;
  }
}

/** The main language first. */
export function allLanguages({ languages }: StudioSpace): readonly string[] {
  return [languages.main, ...languages.sub];
}
