import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const found = PLACES.find((path) => existsSync(path));

/** Whether browser tests can run. Where everything must be proven, a missing browser is a failure. */
export const hasBrowser = found !== undefined || Boolean(process.env.CI);

export function launchBrowser(): Promise<Browser> {
  if (!found) throw new Error('There is no Chromium: apt-get install chromium');
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
  /** What the console shows as an error, and what nobody caught. */
  readonly errors: readonly string[];
  /** How often a page was loaded. */
  loads(): number;
}

/** Opens a page of a dev server in a tab of its own, until the server can tell it to load again. */
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

if (!hasBrowser) console.log('Browser tests are left out: there is no Chromium (apt-get install chromium)');
