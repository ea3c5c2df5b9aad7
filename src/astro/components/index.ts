export { default as LuidImage } from './LuidImage.astro';
