import { expect, test } from 'vitest';
import { randomRuns } from '../../support/random-runs.ts';
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts';
import { published } from '../loader-site.ts';
import { articles, ENGLISH, FIRST_ARTICLE, JAPANESE, NOTES, numbers, openLargeSite } from './large-site.ts';

const AUTHORS = 700;
const ARTICLES = 1100;
const STEPS = 7;

/** Half of the authors are drafts. Each has English or not, and several articles. */
const authors = numbers(1, AUTHORS).map((id) => {
  const values = { ja: { name: `著者 ${id}` }, ...(id % 3 === 0 && { en: { name: `author ${id}` } }) };
  return id % 2 === 0
    ? { id, model: 'author', draft: values }
    : { ...published('author', id, {}), published: values };
});

const COLLECTIONS = {
  japanese: JAPANESE,
  english: ENGLISH,
  notes: NOTES,
  englishNotes: { ...NOTES, lang: 'en' },
};

/** Some edits of many items at once: as many as cross a limit, or few. */
function edit(
  service: ReturnType<typeof openLargeSite>['service'],
  random: SeededRandom,
  step: number,
): string {
  const { contents } = service;
  const count = [1, 120, 310, 600, 1050][random(5)] as number;
  const first = random(ARTICLES);
  const authorIds = numbers(first, Math.min(count, AUTHORS)).map((n) => 1 + (n % AUTHORS));
  const articleIds = numbers(first, count).map((n) => FIRST_ARTICLE + (n % ARTICLES));
  const isPublished = (id: number) => contents.get(id).published !== undefined;
  const isArchived = (id: number) => contents.get(id).archived === true;
  const kinds = {
    publish: () => authorIds.filter((id) => !isPublished(id)).forEach((id) => void contents.publish(id)),
    unpublish: () => authorIds.filter(isPublished).forEach((id) => void contents.unpublish(id)),
    archive: () => authorIds.filter((id) => !isArchived(id)).forEach((id) => void contents.archive(id)),
    restore: () => authorIds.filter(isArchived).forEach((id) => void contents.restore(id)),
    rename: () => articleIds.forEach((id) => void contents.edit(id, { title: `step ${step}` })),
    translate: () =>
      articleIds.forEach((id) => void contents.edit(id, { title: `step ${step}` }, { lang: 'en' })),
  };
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const name = names[random(names.length)] as keyof typeof kinds;
  kinds[name]();
  return `${name} ${count} from ${first}`;
}

test('builds are right after random edits of hundreds of items, whichever collections were built meanwhile', async () => {
  for (let run = 0; run < randomRuns(2); run++) {
    const random = seededRandom(`limits ${run}`);
    const english = (n: number) => ({ author: 1 + (n % AUTHORS) });
    const { service, build, wrongIn } = openLargeSite([...authors, ...articles(ARTICLES, english)]);
    const history: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      const isLast = step === STEPS - 1;
      // The main language is always synced: what disappears and what appears would make up for each other otherwise.
      const chosen = Object.entries(COLLECTIONS).filter(() => isLast || random(2) === 0);
      const collections = { notes: NOTES, ...Object.fromEntries(chosen) };
      history.push(`build ${Object.keys(collections)}`);
      const built = await build(collections, () => {
        if (step > 0) history.push(edit(service, random, step));
      });
      expect(await wrongIn(built, collections), `run ${run}: ${history.join(', ')}`).toEqual([]);
    }
  }
});
