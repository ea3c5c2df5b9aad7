import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { WAIT_LIMIT } from './until.ts';

const PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const found = PATHS.find((path) => existsSync(path));

/** Whether browser tests run. In CI, a missing browser is a failure. */
export const hasBrowser = found !== undefined || Boolean(process.env.CI);

export function launchBrowser(): Promise<Browser> {
  if (!found) throw new Error('Chromium is not installed: apt-get install chromium');
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-sync',
  ];
  return chromium.launch({
    executablePath: found,
    args: [...args, '--disable-component-update', '--no-first-run'],
    timeout: WAIT_LIMIT,
  });
}

export interface Tab {
  readonly page: Page;
  /** Errors in the console, and uncaught ones. */
  readonly errors: readonly string[];
  /** The number of page loads. */
  loads(): number;
}

/** Opens a page of a dev server in a new tab, and waits until it is connected to the server. */
export async function openTab(browser: Browser, url: string | URL): Promise<Tab> {
  const page = await browser.newPage();
  page.setDefaultTimeout(WAIT_LIMIT);
  const errors: string[] = [];
  let loads = 0;
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('framenavigated', () => {
    loads += 1;
  });
  const connected = page.waitForEvent('console', (message) => message.text() === '[vite] connected.');
  await Promise.all([page.goto(String(url)), connected]);
  return { page, errors, loads: () => loads };
}

if (!hasBrowser)
  console.log('Browser tests are skipped: Chromium is not installed (apt-get install chromium)');

/**
 * Records the layout shifts of the page that is opened next. Small ones are normal: a line of text may move while the
 * document is still loading. An image without dimensions causes shifts that are a hundred times as large.
 */
export async function watchShifts(page: Page): Promise<() => Promise<unknown[]>> {
  await page.addInitScript(() => {
    const shifts: unknown[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(entry.toJSON());
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return async () => {
    const shifts: { value: number }[] = await page.evaluate(() => Reflect.get(window, 'shifts'));
    return shifts.filter(({ value }) => value >= 0.001);
  };
}
