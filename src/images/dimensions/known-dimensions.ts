import { shareInProcess } from '../../shared/process.ts';

/** In pixels, as an image is displayed. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

export interface ImageInfo extends Dimensions {
  /** `jpg`, `png`, `webp`, … */
  readonly format: string;
}

/** All images whose dimensions this process knows, by URL without the CDN's parameters. */
export function knownDimensions(): Map<string, ImageInfo> {
  return shareInProcess('image-dimensions', () => new Map<string, ImageInfo>());
}
