import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/emulator/index.ts';

/** `orientation` is EXIF's, and may rotate the image. */
export interface TestImage {
  readonly width: number;
  readonly height: number;
  readonly orientation?: number;
}

export interface TestImages {
  readonly directory: string;
  /** As in a seed. */
  readonly media: { id: number; file: string; alt: Record<string, string> }[];
  remove(): Promise<void>;
}

/** Creates image files in a temporary folder. Their media ids start at 1. */
export async function createTestImages(files: Readonly<Record<string, TestImage>>): Promise<TestImages> {
  const directory = mkdtempSync(join(tmpdir(), 'astro-luid-test-images-'));
  for (const [file, { width, height, orientation }] of Object.entries(files)) {
    const image = sharp({ create: { width, height, channels: 3, background: '#7a9' } });
    await (orientation ? image.withMetadata({ orientation }) : image).toFile(join(directory, file));
  }
  return {
    directory,
    media: Object.keys(files).map((file, index) => ({ id: index + 1, file, alt: { ja: file } })),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** An emulator with these images and no content. */
export function emulatorWith(images: TestImages, options: EmulatorOptions = {}): Emulator {
  const seed = {
    languages: { main: 'ja', sub: [] },
    keys: [{ key: 'published', reads: 'published' }],
    models: { page: { title: { type: 'text', title: true } } },
    media: images.media,
    contents: [],
  };
  return createEmulator(seed, { directory: images.directory, ...options });
}

/** The actual size and format of an image. */
export async function inspectImage(bytes: ArrayBuffer) {
  const { width, height, format, compression } = await sharp(Buffer.from(bytes)).metadata();
  return { width, height, format: format === 'heif' && compression === 'av1' ? 'avif' : format };
}
