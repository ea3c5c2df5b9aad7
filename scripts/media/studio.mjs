/** Waits until the studio is ready, and opens an item in a language. */
export async function openItem(page, id, language) {
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/item/${id}`);
  await page.getByRole('tab', { name: language }).click();
  await titleField(page, language).waitFor();
}

export function titleField(page, language) {
  return page.getByRole('group', { name: `Fields in ${language}`, exact: true }).getByLabel(/^title/);
}

export function publishButton(page) {
  return page.getByRole('button', { name: 'Save and publish', exact: true });
}

/** Waits until nothing is unsaved and the item is published. */
export async function waitUntilPublished(page) {
  await page.getByRole('button', { name: 'Duplicate', exact: true, disabled: false }).waitFor();
  const side = page.getByRole('complementary', { name: 'State and actions' });
  await side.getByText('Published', { exact: true }).first().waitFor();
}
