// What the image service imports by the name of this package, so that Vite leaves it to Node.
export { imageServiceWith } from '../astro/image-service/cdn-image-service.ts';
