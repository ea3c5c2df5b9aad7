/** In pixels, as an image is displayed. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

export interface ImageInfo extends Dimensions {
  /** `jpg`, `png`, `webp`, … */
  readonly format: string;
}

/** Astro runs two module graphs in one process (Vite's and Node's), and both must see the same map. */
const registry = Symbol.for('astro-luid.sizes');

/** All images whose dimensions this process knows, by URL without the CDN's parameters. */
export function knownDimensions(): Map<string, ImageInfo> {
  const holder = globalThis as { [registry]?: Map<string, ImageInfo> };
  holder[registry] ??= new Map();
  return holder[registry];
}
