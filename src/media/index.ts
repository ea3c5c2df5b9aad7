export { type MediaOperations, mediaUrl } from './media-url.ts';
