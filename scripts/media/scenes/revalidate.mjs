import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scene, sideBySide } from '../scene.mjs';
import { startLiveServer, startService } from '../services.mjs';
import { MARGIN } from '../stage.mjs';
import { openItem, publishButton, titleField, waitUntilPublished } from '../studio.mjs';
import { openTerminal } from '../terminal.mjs';
import { waitUntil } from '../wait-until.mjs';

const PORT = 4321;

/** Three pages that show the article of the edit, and three that do not. */
const PAGES = ['', 'articles/', 'articles/harbour-at-dusk/', 'authors/tanaka/', 'events/', 'gallery/'];
/** Another page that shows it: it is requested until it shows the edit. */
const PROBE = '/en/categories/food/';

/** The header X-Astro-Cache of each page. */
const SCRIPT = `#!/bin/bash
for page in ${PAGES.map((page) => `/en/${page}`).join(' ')}; do
  cache=$(curl -s -o /dev/null -D - http://127.0.0.1:${PORT}$page | tr -d '\\r' | sed -n 's/^x-astro-cache: //Ip')
  color=$([ "$cache" = HIT ] && echo 32 || echo '1;33')
  printf '\\e[%sm%-5s\\e[0m%s\\n' "$color" "$cache" "$page"
done
`;

/** Which pages the server of examples/live renders again after an edit: only those that show it. */
export async function record(browser, size) {
  const [left, right] = sideBySide(size, MARGIN);
  const scene = await Scene.open(browser, size, {
    terminal: { ...left, fontSize: 22, title: 'Cache of the live server: X-Astro-Cache' },
    studio: { ...right, scale: 1.2, address: 'Studio' },
  });
  const parent = mkdtempSync(join(tmpdir(), 'astro-luid-media-'));
  const service = await startService();
  const server = await startLiveServer(service, PORT);
  const terminal = openTerminal({
    folder: createFolder(parent),
    home: join(parent, 'home'),
    columns: 43,
    rows: 24,
  });
  scene.setTerminal('terminal', terminal);
  let expected = [];
  /** Requests the pages, as a person does, until the terminal shows these headers. */
  const requestPages = async (...headers) => {
    expected = [...expected, ...headers];
    await scene.typeInTerminal('terminal', './request-pages');
    await terminal.press('Enter');
    await waitUntil(
      () => `the terminal shows ${expected}:\n${terminal.text()}`,
      () => {
        const shown = terminal.text().match(/^(HIT|MISS)(?= )/gm) ?? [];
        return shown.join() === expected.join() && /\$\s*$/.test(terminal.text());
      },
    );
  };
  try {
    // The first response of each page fills the cache.
    for (const path of PAGES) await fetch(`${server.url}/en/${path}`);
    const studio = await scene.openPage('studio', service.studioUrl);
    await openItem(studio, 301, 'English');
    await terminal.shows(/\$/);
    await scene.hold(800);
    await requestPages(...Array(6).fill('HIT'));
    await scene.hold(2000);

    await scene.click('studio', titleField(studio, 'English'));
    await titleField(studio, 'English').press('End');
    await scene.type('studio', [...Array(4).fill('Backspace'), ...'dawn']);
    await scene.hold(500);
    service.tick();
    await scene.click('studio', publishButton(studio));
    await waitUntilPublished(studio);
    await studio.evaluate(() => scrollTo(0, 0));
    await scene.hold(1500);

    await waitUntil(
      () => 'the server has the edit',
      async () => {
        const response = await fetch(server.url + PROBE);
        return (await response.text()).includes('harbour at dawn');
      },
    );
    await requestPages(...Array(3).fill('MISS'), ...Array(3).fill('HIT'));
    await scene.hold(3000);
    await requestPages(...Array(6).fill('HIT'));
    await scene.hold(4000);
    return scene.recording;
  } finally {
    terminal.close();
    await scene.close();
    await server.close();
    await service.close();
    rmSync(parent, { recursive: true, force: true });
  }
}

function createFolder(parent) {
  const folder = join(parent, 'my-site');
  mkdirSync(folder);
  writeFileSync(join(folder, 'request-pages'), SCRIPT);
  chmodSync(join(folder, 'request-pages'), 0o755);
  return folder;
}
