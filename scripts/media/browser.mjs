import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function launchBrowser() {
  const executablePath = PATHS.find((path) => existsSync(path));
  if (!executablePath) throw new Error('Chromium is not installed: apt-get install chromium');
  const args = ['--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--font-render-hinting=none'];
  return chromium.launch({ executablePath, args, timeout: 60_000 });
}
