import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../process.mjs';
import { Scene } from '../scene.mjs';
import { startService } from '../services.mjs';
import { MARGIN } from '../stage.mjs';
import { openTerminal } from '../terminal.mjs';

/** A fixed one, because it is in the URL that is typed. That of docs/emulator.md. */
const PORT = 4010;

/** The files of Astro's template `minimal`. */
const FILES = {
  'package.json': `{
  "name": "my-site",
  "type": "module",
  "version": "0.0.1",
  "scripts": { "dev": "astro dev", "build": "astro build" },
  "dependencies": { "astro": "^7.0.0", "astro-luid": "^0.1.0" }
}
`,
  'astro.config.mjs': `// @ts-check
import { defineConfig } from 'astro/config';

// https://astro.build/config
export default defineConfig({});
`,
  'tsconfig.json': '{ "extends": "astro/tsconfigs/strict", "include": [".astro/types.d.ts", "**/*"] }\n',
  '.gitignore': 'node_modules/\ndist/\n.astro/\n.env\n',
  'src/pages/index.astro': '<h1>Astro</h1>\n',
};

/** `luid init` in an empty Astro project, up to the summary. */
export async function record(browser, size) {
  const place = { x: MARGIN, y: MARGIN, width: size.width - MARGIN * 2, height: size.height - MARGIN * 2 };
  const scene = await Scene.open(browser, size, { terminal: { ...place, fontSize: 24, title: 'Terminal' } });
  const parent = mkdtempSync(join(tmpdir(), 'astro-luid-media-'));
  const service = await startService({ port: PORT });
  const folder = createSite(join(parent, 'my-site'));
  const terminal = openTerminal({ folder, home: join(parent, 'home'), columns: 82, rows: 26 });
  scene.setTerminal('terminal', terminal);
  const enter = async (next) => {
    await terminal.press('Enter');
    await terminal.shows(next);
  };
  try {
    await terminal.shows(/\$/);
    await scene.hold(800);
    await scene.typeInTerminal('terminal', 'npx luid init');
    await scene.hold(300);
    await enter(/Which service\?/);
    await scene.hold(900);
    await terminal.press('Down');
    await scene.hold(400);
    await enter(/URL of the service/);
    await scene.hold(900);
    await scene.typeInTerminal('terminal', `http://127.0.0.1:${PORT}/v1`);
    await scene.hold(400);
    await enter(/API key \(/);
    await scene.hold(700);
    await scene.typeInTerminal('terminal', 'published-key');
    await scene.hold(400);
    await enter(/Which models does the site use\?/);
    await scene.hold(2500);
    await enter(/Apply this change to astro\.config\.mjs\?/);
    await scene.hold(2500);
    await enter(/Write src\/space\.ts/);
    await scene.hold(1800);
    await enter(/Next:[\s\S]*\$\s*$/);
    await scene.hold(5000);
    return scene.recording;
  } finally {
    terminal.close();
    await scene.close();
    await service.close();
    rmSync(parent, { recursive: true, force: true });
  }
}

/** An Astro project with the packages that `npm install` would install. */
function createSite(folder) {
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(root, 'node_modules/astro'), join(folder, 'node_modules/astro'));
  symlinkSync(root, join(folder, 'node_modules/astro-luid'));
  symlinkSync('../astro-luid/dist/cli/main.js', join(folder, 'node_modules/.bin/luid'));
  return folder;
}
