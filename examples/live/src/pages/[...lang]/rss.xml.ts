import { getLiveCollection } from 'astro:content';
import rss from '@astrojs/rss';
import type { APIRoute } from 'astro';
import { languageOf, to } from '../../languages.ts';
import { cacheUntilChange, respondTo } from '../../respond.ts';
import { wordsOf } from '../../words.ts';

export const GET: APIRoute = async ({ params, site, cache }) => {
  const lang = languageOf(params.lang);
  if (!lang) return respondTo();
  const articles = await getLiveCollection('stories', { order: '-_published_at', lang, limit: 30 });
  if (!articles.entries) return respondTo(articles.error);
  cacheUntilChange(cache, articles);
  const words = wordsOf(lang);
  return rss({
    title: words.name,
    description: words.description,
    site: new URL(to(lang), site),
    customData: `<language>${lang}</language>`,
    items: articles.entries.map(({ data }) => ({
      title: data.title,
      description: data.lead,
      link: new URL(to(lang, 'articles', data.slug), site).href,
      ...(data._published_at && { pubDate: data._published_at }),
      categories: data.tags.map((tag) => words.tag[tag]),
    })),
  });
};
