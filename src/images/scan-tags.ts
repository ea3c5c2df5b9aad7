export { scanTags, type Tag } from '../models/scan-tags.ts';
