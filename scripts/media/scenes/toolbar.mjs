import { Scene } from '../scene.mjs';
import { startDevServer, startService } from '../services.mjs';
import { waitForImages } from '../site-page.mjs';
import { MARGIN } from '../stage.mjs';

/** The age of the last sync, in seconds. */
const AGE = 4;

/** The toolbar app, open in a page of `astro dev`. */
export async function record(browser, size) {
  const place = { x: MARGIN, y: MARGIN, width: size.width - MARGIN * 2, height: size.height - MARGIN * 2 };
  const scene = await Scene.open(browser, size, {
    site: { ...place, scale: 1.25, address: 'localhost:4321/en/articles/harbour-at-dusk/' },
  });
  const service = await startService();
  const server = await startDevServer(service, browser);
  try {
    const page = await scene.openPage('site', `${server.url}/en/articles/harbour-at-dusk/`);
    await page.waitForLoadState('networkidle');
    await waitForImages(page);
    const bar = page.locator('#dev-bar');
    await bar.hover();
    await bar.getByRole('button', { name: 'Content' }).click();
    const app = page.locator('astro-dev-toolbar-app-canvas[data-app-id="astro-luid"]');
    await showAge(page, app.getByText(/last sync/), AGE);
    await scene.moveTo('site', app.getByRole('button', { name: 'Refresh now' }));
    return scene.recording;
  } finally {
    await scene.close();
    await server.close();
    await service.close();
  }
}

/** Sets the page's clock so that the last sync was this long ago, however long everything took. */
async function showAge(page, summary, age) {
  const text = await summary.textContent();
  const shown = Number(/last sync (\d+) s ago/.exec(text)?.[1] ?? 0);
  await page.clock.setFixedTime(Date.now() - (shown - age) * 1000);
  await summary.filter({ hasText: `last sync ${age} s ago` }).waitFor();
}
