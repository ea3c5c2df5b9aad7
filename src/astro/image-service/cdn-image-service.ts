import type { ImageTransform, LocalImageService } from 'astro';
import { knownDimensions } from '../../images/dimensions/known-dimensions.ts';
import { MAX_SIDE, type MediaOperations, mediaUrl, parseMediaUrl } from '../../images/media-url.ts';
import { parseSource } from '../../images/source-url.ts';
import type { MediaFit, MediaFormat } from '../../models/field-types/media.ts';

/** `image: { service: { entrypoint: 'astro-luid/image-service', config: { assetsUrl } } }` */
export interface ImageServiceConfig {
  /** The CDN resizes images below this URL, sharp all others. */
  readonly assetsUrl: string;
}

type Service = LocalImageService<ImageServiceConfig & Record<string, unknown>>;
type ImageConfig = Parameters<Service['getURL']>[1];
type RemoteSize = Awaited<ReturnType<NonNullable<Service['getRemoteSize']>>>;

/**
 * Astro has one image service per project, so this one extends sharp's. URLs of our media are rewritten when the
 * options are validated: Astro then sees a final URL, where a static build would otherwise download and encode
 * the image again.
 */
export function imageServiceWith(sharpService: object): Service {
  const sharp = sharpService as Service;
  return {
    ...sharp,
    async validateOptions(options, config, logger) {
      const valid = (await sharp.validateOptions?.(options, config, logger)) ?? options;
      if (!isOurs(valid, config)) return valid;
      // Without a format, Astro would request the image to find it.
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
      const request = (src: string) => Promise.resolve(sharp.getRemoteSize?.(src, config, logger));
      return (media ? sizeOf(media.src, request) : request(url)) as Promise<RemoteSize>;
    },
  };
}

function isOurs({ src }: ImageTransform, config: ImageConfig): boolean {
  const { assetsUrl } = config.service.config;
  return typeof src === 'string' && Boolean(assetsUrl && parseSource(src, { assetsUrl }).media);
}

/** Astro's names for `fit`. Without one, the CDN crops the image, as sharp does. */
const FITS: Readonly<Record<string, MediaFit>> = {
  contain: 'bounds',
  inside: 'bounds',
  'scale-down': 'bounds',
  outside: 'cover',
};
const FORMATS: readonly MediaFormat[] = ['avif', 'webp', 'jpeg', 'jpg', 'png'];

function cdnUrl({ src, width, height, format, fit }: ImageTransform, config: ImageConfig): string {
  const operations: MediaOperations = {
    ...withinLimits(width, height),
    fit: FITS[String(fit)] ?? 'crop',
    // The CDN does not convert SVG and other formats that it does not support.
    format: FORMATS.find((known) => known === format),
  };
  return mediaUrl(String(src), operations, config.service.config);
}

/** Astro requests sizes that the CDN does not return: the original's, and the heights of its own `srcset`. */
function withinLimits(width: number | undefined, height: number | undefined) {
  const scale = MAX_SIDE / Math.max(width ?? 0, height ?? 0);
  if (!(scale < 1)) return { width, height };
  const shrink = (side: number | undefined) => side && Math.max(1, Math.round(side * scale));
  return { width: shrink(width), height: shrink(height) };
}

const requests = new Map<string, Promise<RemoteSize>>();

/** The size that a loader has read, or else one request per image. */
function sizeOf(src: string, request: (url: string) => Promise<RemoteSize | undefined>): Promise<RemoteSize> {
  const known = knownDimensions().get(src);
  if (known) return Promise.resolve({ ...known } as RemoteSize);
  const size = requests.get(src) ?? (request(src) as Promise<RemoteSize>);
  requests.set(src, size);
  size.catch(() => requests.delete(src));
  return size;
}
