// Draws the pictures of the emulator's sample space: node scripts/run.mjs sample-pictures.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './process.mjs';
import { indoors } from './sample-pictures/indoors.mjs';
import { outdoors } from './sample-pictures/outdoors.mjs';
import { portraits } from './sample-pictures/portraits.mjs';
import { fileOf } from './sample-space/pictures.mjs';

const folder = join(root, 'src/emulator/sample/media');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

for (const [name, draw] of Object.entries({ ...outdoors, ...indoors, ...portraits })) {
  const file = fileOf(name);
  const picture = sharp(Buffer.from(draw()));
  const encoded = file.endsWith('.jpg')
    ? picture.jpeg({ quality: 48, mozjpeg: true })
    : picture.webp({ quality: 44, effort: 6 });
  await encoded.toFile(join(folder, file));
}
