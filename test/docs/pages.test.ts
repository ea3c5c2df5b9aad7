import { expect, test } from 'vitest';
import { pageId } from '../../docs/site/routes.mjs';
import { SIDEBAR } from '../../docs/site/sidebar.mjs';
import { JAPANESE_PAGES, PAGES, textOf } from './documents.ts';

type Item = string | { items: Item[] };
const idsIn = (items: readonly Item[]): string[] =>
  items.flatMap((item) => (typeof item === 'string' ? item : idsIn(item.items)));

const idOf = (page: string) => pageId(page.replace(/^docs\//, ''));

test('every page is in the sidebar once, and the sidebar has no others', () => {
  const pages = PAGES.map(idOf).filter((id) => id !== 'index');
  expect(idsIn(SIDEBAR as Item[]).sort()).toEqual(pages.sort());
});

test.each([...PAGES, ...JAPANESE_PAGES])(
  '%s has a title, which is its heading, and a description',
  (page) => {
    const [, frontmatter = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(textOf(page)) ?? [];
    const title = /^title: (.+)$/m.exec(frontmatter)?.[1];
    expect(body.match(/^# .+$/gm)?.slice(0, 1)).toEqual([`# ${title}`]);
    expect(frontmatter).toMatch(/^description: .{10,160}$/m);
  },
);

test('the first page and that of the guides lead to all others', () => {
  const linked = ['docs/README.md', 'docs/guides/README.md'].flatMap((page) =>
    [...textOf(page).matchAll(/\]\(\.\/([^)#]+\.md)\)/g)].map(([, path]) =>
      idOf(page.replace('README.md', path ?? '')),
    ),
  );
  const pages = PAGES.map(idOf).filter((id) => id !== 'index');
  expect([...new Set(linked)].sort()).toEqual(pages.sort());
});
