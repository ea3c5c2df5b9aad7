import { setTimeout } from 'node:timers/promises';
import { Scene, sideBySide } from '../scene.mjs';
import { startDevServer, startService } from '../services.mjs';
import { prepareSitePage } from '../site-page.mjs';
import { MARGIN } from '../stage.mjs';
import { openItem, publishButton, titleField, waitUntilPublished } from '../studio.mjs';
import { waitUntil } from '../wait-until.mjs';

/** `astro dev` checks for changes every 10 seconds. The edit is published this long after a check. */
const AFTER_CHECK_MS = 7500;

/** An edit that is published in the studio, and arrives in an open page of `astro dev`. */
export async function record(browser, size) {
  const [left, right] = sideBySide(size, MARGIN);
  const scene = await Scene.open(browser, size, {
    studio: { ...left, scale: 1.2, address: 'Studio' },
    site: { ...right, scale: 1.5, address: 'localhost:4321/en/articles/…' },
  });
  let lastCheck = 0;
  const service = await startService({
    onRequest: () => {
      lastCheck = performance.now();
    },
  });
  const server = await startDevServer(service, browser);
  try {
    const site = await scene.openPage('site', `${server.url}/en/articles/harbour-at-dusk/`);
    await prepareSitePage(site);
    const studio = await scene.openPage('studio', service.studioUrl);
    await openItem(studio, 301, 'English');
    const title = titleField(studio, 'English');
    await scene.hold(1500);

    await scene.click('studio', title);
    await title.press('End');
    await scene.hold(400);
    await scene.type('studio', [...Array(4).fill('Backspace'), ...'dawn']);
    await scene.hold(700);
    await scene.moveTo('studio', publishButton(studio));

    service.tick();
    await nextCheck(() => lastCheck);
    await setTimeout(AFTER_CHECK_MS);
    const publishedAt = performance.now();
    await publishButton(studio).click();
    await waitUntilPublished(studio);
    await studio.evaluate(() => scrollTo(0, 0));
    await scene.hold(0);
    await site.getByRole('heading', { name: 'Walking the harbour at dawn', level: 1 }).waitFor();
    scene.recording.frames.at(-1).duration += performance.now() - publishedAt;
    await prepareSitePage(site);
    await scene.hold(3500);
    return scene.recording;
  } finally {
    await scene.close();
    await server.close();
    await service.close();
  }
}

async function nextCheck(lastCheck) {
  const before = lastCheck();
  await waitUntil(
    () => '`astro dev` checks for changes',
    () => lastCheck() > before,
  );
}
