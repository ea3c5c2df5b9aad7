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

/** Several copies of this module may run in one process: Astro has one in Vite and one outside of it. */
const registry = Symbol.for('astro-luid.sizes');

/** What this process knows of pictures, by their address without the CDN's parameters. */
export function knownSizes(): Map<string, KnownSize> {
  const holder = globalThis as { [registry]?: Map<string, KnownSize> };
  holder[registry] ??= new Map();
  return holder[registry];
}
