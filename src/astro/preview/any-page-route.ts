import { refusal } from './preview-refusal.ts';

// Loaded by path: the integration adds it to the site, so that every path below /_luid/preview has a route. The
// middleware shows the page itself.
export const prerender = false;
export const GET = () => refusal(404, 'The preview has no such page.');
