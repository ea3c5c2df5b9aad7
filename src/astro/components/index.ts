export { default as Blocks } from './Blocks.astro';
export { default as LuidImage } from './LuidImage.astro';
export { default as LuidPicture } from './LuidPicture.astro';
export { default as PreviewBar } from './PreviewBar.astro';
