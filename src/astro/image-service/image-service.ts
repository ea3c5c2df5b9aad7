// Shipped as it is, for Vite, which Astro's services need.
import sharpService from 'astro/assets/services/sharp';
import { imageServiceWith } from 'astro-luid/internal/image-service';

export type { ImageServiceConfig } from './cdn-image-service.js';
export default imageServiceWith(sharpService);
