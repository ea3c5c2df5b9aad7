import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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
  });
}

if (!hasBrowser) console.log('Browser tests are left out: there is no Chromium (apt-get install chromium)');
