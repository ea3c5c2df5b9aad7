import type { ImageTransform, LocalImageService } from 'astro';
import sharpService from 'astro/assets/services/sharp';
import { mediaUrl } from '../media/media-url.ts';

/** `image: { service: { entrypoint: 'astro-luid/image-service', config: { assetsUrl } } }` */
export interface ImageServiceConfig {
  /** Pictures below this address are resized by the CDN; all others by sharp, as before. */
  readonly assetsUrl: string;
}

type Service = LocalImageService<ImageServiceConfig & Record<string, unknown>>;
type ImageConfig = Parameters<Service['getURL']>[1];

/**
 * Astro has one image service a project, so this one is sharp's with the CDN put before it. Our URLs
 * are rewritten when options are validated: what then reaches Astro is a finished address, which a
 * static build would else download and encode again.
 */
const service: Service = {
  ...(sharpService as unknown as Service),
  async validateOptions(options, config, logger) {
    const valid = (await sharpService.validateOptions?.(options, config as never, logger)) ?? options;
    return isOurs(valid, config) ? { ...valid, src: cdnUrl(valid) } : valid;
  },
  getURL(options, config, logger) {
    return isOurs(options, config)
      ? String(options.src)
      : sharpService.getURL(options, config as never, logger);
  },
  async getSrcSet(options, config, logger) {
    const values = (await sharpService.getSrcSet?.(options, config as never, logger)) ?? [];
    if (!isOurs(options, config)) return values;
    return values.map((value) => ({
      ...value,
      transform: { ...value.transform, src: cdnUrl(value.transform) },
    }));
  },
};
export default service;

function isOurs({ src }: ImageTransform, config: ImageConfig): boolean {
  const assets = config.service.config.assetsUrl.replace(/\/+$/, '');
  return typeof src === 'string' && src.startsWith(`${assets}/`);
}

function cdnUrl({ src, width, height, format }: ImageTransform): string {
  return mediaUrl(String(src), {
    ...(width !== undefined && { width: Math.round(width) }),
    ...(height !== undefined && { height: Math.round(height) }),
    ...(typeof format === 'string' && { format }),
  });
}
