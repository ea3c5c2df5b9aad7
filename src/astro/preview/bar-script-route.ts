import { createAsset } from './preview-endpoints.ts';

// Loaded by path: the integration adds it to the site.
export const prerender = false;
export const GET = createAsset('script');
