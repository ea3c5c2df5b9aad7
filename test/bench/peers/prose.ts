/** What a reader must know to read the tables. */
export const INTRODUCTION = `**How.** Every loader loads the same articles: about 1.8 KB of text, a picture, and a reference to one of 50
authors, over HTTP from a server of its own in the shape of its own service. Ours and a hand-written one load
from this package’s emulator, the others from small servers that answer what their loaders ask. Every answer
is uncompressed JSON and comes after the latency that is named; rate limits are lifted, the loaders’ own ones too.
The hand-written loader is what Astro’s documentation teaches: page after page, then clear and set. The least is
none that anybody would use: it reads as many pages at once as ours, and puts them into the store as they are.

Each load is one process, as in a build. Astro’s own content layer and data store run the loader, and the store
is kept in a file between loads; reading and writing that file is Astro’s work, the same for all, and not measured.
What is imported is imported before the clock starts, which runs from \`load()\` to its end; before that, a load
that is not measured makes the server’s process warm. Memory is the most that the process held above what it held
before. A load of more than a minute is given up, and its loader is not run again with as much or more. Every loader
is set up as its README advises for the best result: the largest pages, an \`updatedField\` and a local schema for
PocketBase, relations populated for Strapi and resolved for Storyblok.

**Right** means that after the load the store equals what the service has: ids, titles, bodies and the embedded
author’s name. **Fails, as before** means that the load failed loudly and left the last good content: a build that
stops, and no damage. **Goes on** means that the build does, with a line in the log at most. For PocketBase’s
loader, which has no way to embed a relation, the edited reference is no question (–). Before the 429 and the 500
an article was edited, and the first request gets the fault. In parentheses: how many of the requests count against
the rate limit, where the service’s cache tells.`;

/** What the figures do not say by themselves. */
export const NOTES = `### What to know besides

- Of the content, only the articles are a collection. Ours reads the 50 authors too, for that is how it keeps what
  articles embed up to date; the PocketBase loader never reads them.
- Storyblok’s loader does not check entries against a schema: it does not call \`parseData\`. The others do.
- microCMS’s SDK waits a second between pages, which cannot be turned off.
- A space of up to some 1,500 entries is read whole by ours every time, for that takes as long as asking what
  changed. With nothing changed all of it comes from the CDN.
- After one edit ours takes longer than the loaders that take over just that entry. It makes every entry again from
  its copy and compares, for what was edited may be embedded anywhere: that is why an edited author is right.
- The services behind the others are imitated. What their loaders do is measured; how fast their services are is not.
- strapi-community-astro-loader and astro-loader-storyblok ask for Astro 6, microcms-astro-loader for Astro 5. They
  run with Astro 7 here, whose loader interface is the same.`;
