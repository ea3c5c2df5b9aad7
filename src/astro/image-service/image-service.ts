import type { ImageTransform, LocalImageService } from 'astro';
import sharpService from 'astro/assets/services/sharp';
import { type ImageInfo, knownDimensions } from '../../images/dimensions/known-dimensions.ts';
import { type MediaOperations, mediaUrl, parseMediaUrl } from '../../images/media-url.ts';
import { parseSource } from '../../images/source-url.ts';
import type { MediaFit, MediaFormat } from '../../models/field-types/media.ts';

/** `image: { service: { entrypoint: 'astro-luid/image-service', config: { assetsUrl } } }` */
export interface ImageServiceConfig {
  /** Pictures below this address are resized by the CDN; all others by sharp, as before. */
  readonly assetsUrl: string;
}

type Service = LocalImageService<ImageServiceConfig & Record<string, unknown>>;
type ImageConfig = Parameters<Service['getURL']>[1];
type RemoteSize = Awaited<ReturnType<NonNullable<Service['getRemoteSize']>>>;

const sharp = sharpService as unknown as Service;

/**
 * Astro has one image service a project, so this one is sharp's with the CDN put before it. Our URLs
 * are rewritten when options are validated: what then reaches Astro is a finished address, which a
 * static build would else download and encode again.
 */
const service: Service = {
  ...sharp,
  async validateOptions(options, config, logger) {
    const valid = (await sharp.validateOptions?.(options, config, logger)) ?? options;
    if (!isOurs(valid, config)) return valid;
    // Without a format, Astro would ask the network for it.
    const format = valid.format ?? 'webp';
    return { ...valid, format, src: cdnUrl({ ...valid, format }, config) };
  },
  getURL(options, config, logger) {
    return isOurs(options, config) ? String(options.src) : sharp.getURL(options, config, logger);
  },
  async getSrcSet(options, config, logger) {
    const values = (await sharp.getSrcSet?.(options, config, logger)) ?? [];
    if (!isOurs(options, config)) return values;
    return values.map((value) => ({
      ...value,
      transform: { ...value.transform, src: cdnUrl(value.transform, config) },
    }));
  },
  getRemoteSize(url, config, logger) {
    const media = isOurs({ src: url }, config) ? parseMediaUrl(url) : undefined;
    const ask = (address: string) => Promise.resolve(sharp.getRemoteSize?.(address, config, logger));
    return (media ? sizeOf(media.src, ask) : ask(url)) as Promise<RemoteSize>;
  },
};
export default service;

function isOurs({ src }: ImageTransform, config: ImageConfig): boolean {
  const { assetsUrl } = config.service.config;
  return typeof src === 'string' && Boolean(assetsUrl && parseSource(src, { assetsUrl }).media);
}

/** Astro's words for how a picture meets its box. Without one, sharp fills the box, too. */
const FITS: Readonly<Record<string, MediaFit>> = {
  contain: 'bounds',
  inside: 'bounds',
  'scale-down': 'bounds',
  outside: 'cover',
};
const FORMATS: Readonly<Record<string, MediaFormat>> = {
  avif: 'avif',
  webp: 'webp',
  jpeg: 'jpeg',
  jpg: 'jpg',
  png: 'png',
};

function cdnUrl({ src, width, height, format, fit }: ImageTransform, config: ImageConfig): string {
  const operations: MediaOperations = {
    width,
    height,
    fit: FITS[String(fit)] ?? 'crop',
    // What the CDN cannot make, a drawing say, it passes through.
    format: FORMATS[String(format)],
  };
  return mediaUrl(String(src), operations, config.service.config);
}

const asked = new Map<string, Promise<RemoteSize>>();

/** What the loader has learned, else what the picture itself says: asked once, however often it is used. */
function sizeOf(src: string, ask: (url: string) => Promise<RemoteSize | undefined>): Promise<RemoteSize> {
  const known = knownDimensions().get(src);
  if (known) return Promise.resolve(metadata(known));
  const running = asked.get(src) ?? (ask(src) as Promise<RemoteSize>);
  asked.set(src, running);
  running.catch(() => asked.delete(src));
  return running;
}

function metadata({ width, height, format }: ImageInfo): RemoteSize {
  return { width, height, format } as RemoteSize;
}
