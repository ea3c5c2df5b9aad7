import { getCollection } from 'astro:content';
import rss from '@astrojs/rss';
import { newestFirst } from '@magazine/dates.ts';
import { wordsOf } from '@magazine/words.ts';
import type { APIRoute, GetStaticPaths } from 'astro';
import { rssItems } from 'astro-luid/rss';
import { inLanguage, LANGUAGES, type Language, paramOf, to } from '../../languages.ts';

const LENGTH = 30;

export const getStaticPaths = (() =>
  LANGUAGES.map((lang) => ({ params: { lang: paramOf(lang) }, props: { lang } }))) satisfies GetStaticPaths;

export const GET: APIRoute<{ lang: Language }> = async ({ props: { lang }, site }) => {
  const articles = inLanguage(newestFirst(await getCollection('articles')), lang).slice(0, LENGTH);
  const words = wordsOf(lang);
  return rss({
    title: words.name,
    description: words.description,
    site: new URL(to(lang), site),
    customData: `<language>${lang}</language>`,
    items: rssItems(articles, {
      site,
      link: ({ data }) => to(lang, 'articles', data.slug),
      content: true,
      categories: ({ data }) => data.tags.map((tag) => words.tag[tag]),
      enclosure: ({ data }) => data.cover,
    }),
  });
};
