// Shipped as it is: Vite processes files with this extension, and so it finds the components.
export { default as Blocks } from './Blocks.astro';
export { default as LuidImage } from './LuidImage.astro';
export { default as LuidPicture } from './LuidPicture.astro';
export { default as LuidSeo } from './LuidSeo.astro';
export { default as PreviewBar } from './PreviewBar.astro';
export { default as RichText } from './RichText.astro';
export type { RichTextTag } from './rich-text/element-names.js';
export { headingsOf, type RenderedEntry } from './rich-text/rich-text.js';
export type { RichTextComponents, RichTextProps } from './rich-text/rich-text-types.js';
export type { SeoAuthor, SeoOptions } from './seo/seo-tags.js';
