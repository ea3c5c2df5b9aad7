import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
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
    timeout: 60_000,
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
