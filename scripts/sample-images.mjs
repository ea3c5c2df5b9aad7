// Draws the images of the emulator's sample space: node scripts/run.mjs sample-images.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './process.mjs';
import { indoors } from './sample-images/indoors.mjs';
import { outdoors } from './sample-images/outdoors.mjs';
import { portraits } from './sample-images/portraits.mjs';
import { fileOf } from './sample-space/images.mjs';

const folder = join(root, 'src/emulator/sample/media');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

for (const [name, draw] of Object.entries({ ...outdoors, ...indoors, ...portraits })) {
  const file = fileOf(name);
  const image = sharp(Buffer.from(draw()));
  const encoded = file.endsWith('.jpg')
    ? image.jpeg({ quality: 32, mozjpeg: true })
    : image.resize(1200, null, { withoutEnlargement: true }).webp({ quality: 12, effort: 6 });
  await encoded.toFile(join(folder, file));
}
