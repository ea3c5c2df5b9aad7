import { Scene } from '../scene.mjs';
import { startDevServer, startService } from '../services.mjs';
import { prepareSitePage } from '../site-page.mjs';
import { MARGIN } from '../stage.mjs';
import { openItem, titleField } from '../studio.mjs';

/** The front page of the magazine, and beside it its first article in the studio. */
export async function record(browser, size) {
  const place = { y: MARGIN, height: size.height - MARGIN * 2, scale: 1.25 };
  const scene = await Scene.open(browser, size, {
    site: { ...place, x: MARGIN, width: 725, scale: 1, address: 'localhost:4321/en/' },
    studio: { ...place, x: size.width - MARGIN - 500, width: 500, address: 'Studio' },
  });
  const service = await startService();
  const server = await startDevServer(service, browser);
  try {
    const site = await scene.openPage('site', `${server.url}/en/`);
    await prepareSitePage(site);
    const studio = await scene.openPage('studio', service.studioUrl);
    await openItem(studio, 301, 'English');
    await titleField(studio, 'English').focus();
    await scene.hold(1000);
    return scene.recording;
  } finally {
    await scene.close();
    await server.close();
    await service.close();
  }
}
