import settings from 'virtual:astro-luid/preview';
import { previewRequests } from './preview-requests.ts';

// Loaded by path: the integration adds it to the site.
export const onRequest = previewRequests(settings);
