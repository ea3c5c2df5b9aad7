import { Scene } from '../scene.mjs';
import { startService } from '../services.mjs';
import { MARGIN } from '../stage.mjs';
import { publishButton, titleField, waitUntilPublished } from '../studio.mjs';

/** The studio: a list, an item of it, an edit, and its publication. */
export async function record(browser, size) {
  const place = { x: MARGIN, y: MARGIN, width: size.width - MARGIN * 2, height: size.height - MARGIN * 2 };
  const scene = await Scene.open(browser, size, { studio: { ...place, scale: 1.25, address: 'Studio' } });
  const service = await startService();
  try {
    const page = await scene.openPage('studio', service.studioUrl);
    const rows = page.getByRole('list', { name: 'Content' }).getByRole('link');
    await rows.nth(5).waitFor();
    await page.getByRole('link', { name: /^article/ }).waitFor();
    await scene.hold(1500);

    await scene.click('studio', page.getByRole('link', { name: /^article/ }));
    const item = rows.filter({ hasText: '夕暮れの港を歩く' }).first();
    await item.waitFor();
    await scene.hold(1000);
    await scene.click('studio', item);
    const english = page.getByRole('tab', { name: 'English' });
    await english.waitFor();
    await scene.hold(1200);
    await scene.click('studio', english);
    await titleField(page, 'English').waitFor();
    await scene.hold(800);
    await scene.click('studio', titleField(page, 'English'));
    await titleField(page, 'English').press('End');
    await scene.type('studio', [...Array(4).fill('Backspace'), ...'dawn']);
    await scene.hold(700);

    service.tick();
    await scene.click('studio', publishButton(page));
    await waitUntilPublished(page);
    await scene.hold(3500);
    return scene.recording;
  } finally {
    await scene.close();
    await service.close();
  }
}
