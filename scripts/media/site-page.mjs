import { waitUntil } from './wait-until.mjs';

/** Waits until a page of the site is complete, its images included, and removes Astro's toolbar. */
export async function prepareSitePage(page) {
  await page.waitForLoadState('networkidle');
  await page.addStyleTag({ content: 'astro-dev-toolbar { display: none }' });
  await waitForImages(page);
}

export async function waitForImages(page) {
  await page.evaluate(() => document.fonts.ready);
  await waitUntil(
    () => 'the images in view are loaded',
    () =>
      page.evaluate(() =>
        [...document.images]
          .filter((image) => image.checkVisibility() && image.getBoundingClientRect().top < innerHeight)
          .every((image) => image.complete),
      ),
  );
}
