export { PlaceholderReader } from './placeholder-reader.ts';
export { previewAttributes } from './preview-attribute.ts';
