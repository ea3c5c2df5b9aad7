// npm run media: makes the screenshots and recordings of docs/assets again, from the real things: the playground in
// `astro dev`, the studio, the server of examples/live and `luid init` in a terminal. Needs Chromium, tmux and curl.
// npm run media -- edit init makes only these.
import { join } from 'node:path';
import { ASSETS } from './media/assets.mjs';
import { launchBrowser } from './media/browser.mjs';
import { saveImage } from './media/save-image.mjs';
import { root } from './process.mjs';

const wanted = process.argv.slice(3);
const unknown = wanted.filter((name) => !Object.hasOwn(ASSETS, name));
if (unknown.length > 0) {
  console.error(`No image is named ${unknown.join(', ')}. There are ${Object.keys(ASSETS).join(', ')}.`);
  process.exit(1);
}

await import('./build.mjs');
const browser = await launchBrowser();
try {
  for (const name of wanted.length > 0 ? wanted : Object.keys(ASSETS)) {
    const { record } = await import(`./media/scenes/${name}.mjs`);
    console.log(`${name} …`);
    const recording = await record(browser, ASSETS[name]);
    console.log(await saveImage(recording, join(root, 'docs/assets', `${name}.webp`), ASSETS[name]));
  }
} finally {
  await browser.close();
}
