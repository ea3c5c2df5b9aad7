import type { MediaPage, MediaRow } from '../../studio-types.ts';
import { get } from '../api.ts';
import { type Loaded, useLoad, useStudio } from '../studio.ts';

const PAGE_SIZE = 60;

interface MediaList {
  readonly total: number;
  readonly rows: readonly MediaRow[];
}

/** The first pages of a search, loaded again when content changes. */
export function useMediaList(search: string, pages: number): Loaded<MediaList> {
  const { activity } = useStudio();
  return useLoad(
    async (signal) => {
      const offsets = Array.from({ length: pages }, (_, page) => page * PAGE_SIZE);
      const loaded = await Promise.all(
        offsets.map((offset) =>
          get<MediaPage>('media', { query: { search, offset, limit: PAGE_SIZE }, signal }),
        ),
      );
      // An upload between two requests moves a row to the next page.
      const rows = new Map(loaded.flatMap((page) => page.rows.map((row) => [row.id, row])));
      return { total: loaded[0]?.total ?? 0, rows: [...rows.values()] };
    },
    [search, pages, activity?.content],
  );
}

/** One media by its id: `null` if it does not exist, `undefined` while that is not known. */
export function useMedia(id: number | null, known: readonly MediaRow[]): MediaRow | null | undefined {
  const { activity } = useStudio();
  const given = known.find((row) => row.id === id);
  const wanted = given || id === null ? undefined : id;
  const { value } = useLoad(
    async (signal) => {
      if (wanted === undefined) return undefined;
      const { rows } = await get<MediaPage>('media', { query: { ids: wanted, limit: 1 }, signal });
      return { id: wanted, row: rows.find((row) => row.id === wanted) ?? null };
    },
    [wanted, activity?.content],
  );
  if (given) return given;
  return value?.id === id ? value?.row : undefined;
}
