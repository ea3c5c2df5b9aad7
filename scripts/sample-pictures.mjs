// Draws the pictures of the emulator's sample space: node scripts/run.mjs sample-pictures.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './process.mjs';

const folder = join(root, 'src/emulator/sample/media');
mkdirSync(folder, { recursive: true });

/** Hills under a sun: colours and a seed give each picture its own shape. */
const LANDSCAPES = {
  'harbour.jpg': {
    sky: ['#f6d9b8', '#e58f65'],
    hills: ['#6b4e71', '#53354a', '#2b2d42'],
    sun: '#fff4e0',
    seed: 3,
  },
  'tea-field.jpg': {
    sky: ['#e8f3ec', '#b7dcc4'],
    hills: ['#7fb069', '#4d8b55', '#2c5e3f'],
    sun: '#fffbe8',
    seed: 7,
  },
  'night-train.jpg': {
    sky: ['#1b2a49', '#46608c'],
    hills: ['#243b5a', '#182a43', '#0d1b2a'],
    sun: '#f4f1de',
    seed: 11,
  },
};
const PORTRAITS = {
  'mori.jpg': { ground: '#d9c7b8', figure: '#7a4b3a' },
  'tanaka.jpg': { ground: '#b8cdd9', figure: '#2f4858' },
};

for (const [name, scene] of Object.entries(LANDSCAPES)) await draw(name, landscape(1600, 1000, scene));
for (const [name, person] of Object.entries(PORTRAITS)) await draw(name, portrait(600, person));

async function draw(name, svg) {
  await sharp(Buffer.from(svg)).jpeg({ quality: 72, mozjpeg: true }).toFile(join(folder, name));
}

function landscape(width, height, { sky, hills, sun, seed }) {
  const ridges = hills.map((colour, index) => {
    const base = height * (0.5 + index * 0.15);
    const points = Array.from({ length: 41 }, (_, step) => {
      const wave = Math.sin(step * 0.31 * (index + 1) + seed) + 0.5 * Math.sin(step * 0.83 + seed * index);
      return `${(width * step) / 40},${base + wave * height * 0.06}`;
    });
    return `<polygon fill="${colour}" points="0,${height} ${points.join(' ')} ${width},${height}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#sky)"/>
    <circle cx="${width * (0.2 + seed * 0.05)}" cy="${height * 0.3}" r="${height * 0.09}" fill="${sun}"/>
    ${ridges.join('')}
  </svg>`;
}

function portrait(size, { ground, figure }) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">
    <rect width="100%" height="100%" fill="${ground}"/>
    <circle cx="${size / 2}" cy="${size * 0.4}" r="${size * 0.18}" fill="${figure}"/>
    <ellipse cx="${size / 2}" cy="${size}" rx="${size * 0.36}" ry="${size * 0.36}" fill="${figure}"/>
  </svg>`;
}
