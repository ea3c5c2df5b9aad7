import {
  type ImageRules,
  type ItemImages,
  needsDimensions,
  needsPlaceholders,
} from '../../../entries/item-images.ts';
import type { FactReader } from '../../../images/assets/fact-reader.ts';
import type { ImageInfo } from '../../../images/dimensions/known-dimensions.ts';
import type { ImagePlaceholder } from '../../../models/field-types/media.ts';
import type { Logger } from '../../../shared/logger.ts';
import type { RunningSpace } from '../../../space/space.ts';
import { findAssetsUrl } from '../../../space/space-options.ts';

/** Opens what knows the facts about the images of a space. */
export interface ImageFactReaders {
  dimensions(assetsUrl: string): Promise<FactReader<ImageInfo>>;
  placeholders(assetsUrl: string): Promise<FactReader<ImagePlaceholder>>;
}

/** What fields need to know of images. */
export interface SpaceImages {
  readonly rules: ImageRules;
  /** Whether any field needs placeholders. */
  readonly isPreviewed: boolean;
  read(images: readonly ItemImages[]): Promise<KnownImages>;
}

/** By URL. */
export interface KnownImages {
  readonly dimensions: ReadonlyMap<string, ImageInfo>;
  readonly placeholders: ReadonlyMap<string, ImagePlaceholder>;
  /** Whether all dimensions and placeholders are known. */
  readonly isComplete: boolean;
  readonly unknown: UnknownImages;
}

/** The URLs of images that could not be read, or are none. */
export interface UnknownImages {
  readonly dimensions: readonly string[];
  readonly placeholders: readonly string[];
}

/** `undefined` if no model needs anything of images, or if the assets URL is not set. */
export async function openSpaceImages(
  { models, settings, runtime }: RunningSpace,
  readers: ImageFactReaders,
  logger: Logger,
): Promise<SpaceImages | undefined> {
  const everyMedia = settings.dimensions ?? false;
  const isPreviewed = needsPlaceholders(models);
  if (!needsDimensions(models, everyMedia) && !isPreviewed) return undefined;
  const assetsUrl = await findAssetsUrl(settings);
  if (!assetsUrl) {
    const warning = isPreviewed ? NO_ASSETS_URL_FOR_PLACEHOLDERS : NO_ASSETS_URL;
    runtime.once(warning, () => logger.warn(warning));
    return undefined;
  }
  const measurer = await readers.dimensions(assetsUrl);
  const previewer = isPreviewed ? await readers.placeholders(assetsUrl) : undefined;
  return {
    rules: { models, everyMedia, assetsUrl },
    isPreviewed,
    async read(images) {
      const measured = new Set(images.flatMap((image) => image.measured));
      const { found, isComplete } = await measurer.read(measured, logger);
      const previewed = previewer ? images.flatMap((image) => image.previewed) : [];
      // An image that could not be measured has no placeholder either: one request and one warning are enough.
      const readable = previewed.filter((url) => !measured.has(url) || found.has(url));
      const previews = await previewer?.read(readable, logger);
      const placeholders = previews?.found ?? new Map<string, ImagePlaceholder>();
      return {
        dimensions: found,
        placeholders,
        isComplete: isComplete && (previews?.isComplete ?? true),
        unknown: {
          dimensions: [...measured].filter((url) => !found.has(url)),
          placeholders: previewed.filter((url) => !placeholders.has(url)),
        },
      };
    },
  };
}

const NO_ASSETS_URL =
  'Images have no dimensions, because the URL of the media is not known: set LUID_ASSETS_URL';
const NO_ASSETS_URL_FOR_PLACEHOLDERS =
  'Images have no dimensions and no placeholders, because the URL of the media is not known: set LUID_ASSETS_URL';
