import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/index.ts';

/** A picture to draw; `orientation` is EXIF's, and turns it. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly orientation?: number;
}

export interface Gallery {
  readonly directory: string;
  /** In the form of a seed. */
  readonly media: { id: number; file: string; alt: Record<string, string> }[];
  remove(): Promise<void>;
}

/** Draws pictures into a folder of their own. Their ids count from 1. */
export async function drawGallery(drawings: Readonly<Record<string, Drawing>>): Promise<Gallery> {
  const directory = mkdtempSync(join(tmpdir(), 'astro-luid-gallery-'));
  for (const [file, { width, height, orientation }] of Object.entries(drawings)) {
    const image = sharp({ create: { width, height, channels: 3, background: '#7a9' } });
    await (orientation ? image.withMetadata({ orientation }) : image).toFile(join(directory, file));
  }
  return {
    directory,
    media: Object.keys(drawings).map((file, index) => ({ id: index + 1, file, alt: { ja: file } })),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** A service that has nothing but these pictures. */
export function galleryService(gallery: Gallery, options: EmulatorOptions = {}): Emulator {
  const seed = {
    languages: { main: 'ja', sub: [] },
    keys: [{ key: 'published', reads: 'published' }],
    models: { page: { title: { type: 'text', title: true } } },
    media: gallery.media,
    contents: [],
  };
  return createEmulator(seed, { directory: gallery.directory, ...options });
}

/** What a picture is in truth. */
export async function inspectPicture(bytes: ArrayBuffer) {
  const { width, height, format, compression } = await sharp(Buffer.from(bytes)).metadata();
  return { width, height, format: format === 'heif' && compression === 'av1' ? 'avif' : format };
}
