import type { Language } from './languages.ts';

/** Times are shown in Japan's time zone, wherever the site is built. */
const timeZone = 'Asia/Tokyo';

const LOCALES = { ja: 'ja-JP', en: 'en-GB' };

function formatter(lang: Language, options: Intl.DateTimeFormatOptions) {
  return new Intl.DateTimeFormat(LOCALES[lang], { ...options, timeZone });
}

export const longDate = (date: Date, lang: Language) => formatter(lang, { dateStyle: 'long' }).format(date);
export const monthName = (date: Date, lang: Language) =>
  formatter(lang, { year: 'numeric', month: 'long' }).format(date);
export const dayOfMonth = (date: Date) => formatter('en', { day: 'numeric' }).format(date);
export const shortMonth = (date: Date, lang: Language) => formatter(lang, { month: 'short' }).format(date);
export const weekday = (date: Date, lang: Language) => formatter(lang, { weekday: 'short' }).format(date);
export const clock = (date: Date) => formatter('en', { hour: '2-digit', minute: '2-digit' }).format(date);

/** `2026-11`, for ids and for grouping by month. */
function monthKey(date: Date): string {
  const parts = formatter('en', { year: 'numeric', month: '2-digit' }).formatToParts(date);
  const part = (type: string) => parts.find((one) => one.type === type)?.value;
  return `${part('year')}-${part('month')}`;
}

/** Entries grouped by month, in their order. */
export function byMonth<E>(entries: readonly E[], dateOf: (entry: E) => Date): Map<string, E[]> {
  return Map.groupBy(entries, (entry) => monthKey(dateOf(entry)));
}

/** The newest first. */
export function newestFirst<E extends { data: { _published_at: Date | null } }>(entries: readonly E[]): E[] {
  return [...entries].sort((a, b) => Number(b.data._published_at) - Number(a.data._published_at));
}
