export { default as Blocks } from './Blocks.astro';
export { default as LuidImage } from './LuidImage.astro';
export { default as LuidPicture } from './LuidPicture.astro';
export { default as LuidSeo } from './LuidSeo.astro';
export { default as RichText } from './RichText.astro';
export type { RichTextTag } from './rich-text/element-names.ts';
export { headingsOf, type RenderedEntry } from './rich-text/rich-text.ts';
export type { RichTextComponents, RichTextProps } from './rich-text/rich-text-types.ts';
export type { SeoAuthor, SeoOptions } from './seo/seo-tags.ts';
