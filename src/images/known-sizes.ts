import { shareInProcess } from '../process-registry.ts';

/** In pixels, as an image is displayed. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A size that was read once, and what kind of picture it is of. */
export interface KnownSize extends Size {
  /** `jpg`, `png`, `webp`, … */
  readonly format: string;
}

/** What this process knows of pictures, by their address without the CDN's parameters. */
export function knownSizes(): Map<string, KnownSize> {
  return shareInProcess('image-sizes', () => new Map<string, KnownSize>());
}
