// What in-astro.ts imports by the name of this package, so that Vite leaves it to Node.
export { collectionKeyWith } from '../astro/collection-key.ts';
export { defineSpaceWith } from '../astro/define-space.ts';
export * from '../index.ts';
export { default } from '../index.ts';
