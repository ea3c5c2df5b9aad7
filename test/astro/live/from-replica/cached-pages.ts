import type { AnyLiveLoader } from './fleet/fleet-space.ts';
import { refreshAll, resultOf, tagsOf } from './live-site.ts';

/** Pages that show lists of a collection, as a route cache would have them. */
export interface ReplicaPages {
  /** Renders all of them. */
  show(): Promise<void>;
  /** After a change: which pages were invalidated, and which would show something else. All are rendered again. */
  after(change: () => void): Promise<{ readonly invalidated: string[]; readonly differing: string[] }>;
}

interface ReplicaPage {
  readonly name: string;
  readonly content: string;
  readonly tags: readonly string[];
}

/** `lists`: the filters of the lists, by the name of the page that shows them. */
export function openReplicaPages(
  live: AnyLiveLoader,
  collection: string,
  lists: Readonly<Record<string, object>>,
): ReplicaPages {
  let shown: ReplicaPage[] = [];
  const show = async () => {
    shown = [];
    for (const [name, filter] of Object.entries(lists)) {
      const list = resultOf(await live.loadCollection({ filter, collection } as never));
      const content = JSON.stringify(list.entries.map(({ id, data }) => ({ id, data })));
      shown.push({ name, content, tags: tagsOf(list as never) });
    }
  };
  return {
    show,
    async after(change) {
      const before = shown;
      change();
      const changed = new Set(await refreshAll());
      await show();
      const namesOf = (pages: readonly ReplicaPage[]) => pages.map(({ name }) => name);
      return {
        invalidated: namesOf(before.filter(({ tags }) => tags.some((tag) => changed.has(tag)))),
        differing: namesOf(before.filter(({ content }, at) => content !== shown[at]?.content)),
      };
    },
  };
}
