import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Emulator, EmulatorOptions, Seed } from '../../src/emulator/index.ts';
import { launchBrowser } from '../support/browser.ts';
import { WAIT_LIMIT } from '../support/until.ts';

/** Files that do not exist, and scripts in the preview of flexible text. */
const EXPECTED = /^Failed to load resource|^Blocked script execution in 'about:srcdoc'/;

/** A browser and an emulator that serves the built studio. */
export class StudioBrowser {
  readonly emulator: Emulator;
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  #shared: StudioTab | undefined;
  /** What went wrong in any of the tabs: uncaught errors and messages, such as refused scripts. */
  readonly errors: string[] = [];

  private constructor(emulator: Emulator, browser: Browser, context: BrowserContext) {
    this.emulator = emulator;
    this.#browser = browser;
    this.#context = context;
  }

  /** `timezoneId`: the zone of the browser. */
  static async start(seed: Seed, timezoneId: string, options: EmulatorOptions = {}): Promise<StudioBrowser> {
    const built = new URL('../../dist/emulator/index.js', import.meta.url).href;
    const { startEmulator } = (await import(built)) as typeof import('../../src/emulator/index.ts');
    const emulator = await startEmulator(seed, { ...options, studio: true, rateLimit: false });
    const browser = await launchBrowser();
    const context = await browser.newContext({ timezoneId, viewport: { width: 1280, height: 900 } });
    context.setDefaultTimeout(WAIT_LIMIT);
    return new StudioBrowser(emulator, browser, context);
  }

  /** A new tab at a route such as `item/12`. */
  async open(route = ''): Promise<StudioTab> {
    const page = await this.#context.newPage();
    page.on('pageerror', (error) => this.errors.push(String(error)));
    page.on('console', (message) => {
      const isExpected = EXPECTED.test(message.text());
      if (message.type() === 'error' && !isExpected) this.errors.push(message.text());
    });
    await page.goto(this.emulator.studioUrl ?? '');
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    const tab = new StudioTab(page);
    if (route) await tab.goTo(route);
    return tab;
  }

  /** A tab for tests that leave nothing unsaved: opening one takes longer than anything in it. */
  async sharedTab(): Promise<StudioTab> {
    this.#shared ??= await this.open();
    return this.#shared;
  }

  /** All but the shared one. */
  async closeTabs(): Promise<void> {
    const pages = this.#context.pages().filter((page) => page !== this.#shared?.page);
    await Promise.all(pages.map((page) => page.close()));
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.emulator.close();
  }

  /** GET /contents/{id}, as a site reads it. */
  async read(
    id: number,
    { lang, key = 'pub' }: { lang?: string; key?: string } = {},
  ): Promise<Record<string, unknown>> {
    const url = new URL(`${this.emulator.baseUrl}/contents/${id}?depth=0`);
    if (lang) url.searchParams.set('lang', lang);
    const response = await fetch(url, { headers: { 'X-SERVICE-API-KEY': key } });
    return (await response.json()) as Record<string, unknown>;
  }

  /** PATCH /contents/{id}: changes the draft, as a program does. */
  async patch(id: number, model: string, fields: object): Promise<void> {
    const response = await fetch(`${this.emulator.baseUrl}/contents/${id}?model=${model}`, {
      method: 'PATCH',
      headers: { 'X-SERVICE-API-KEY': 'all', 'content-type': 'application/json' },
      body: JSON.stringify({ fields }),
    });
    if (!response.ok) throw new Error(`PATCH: ${response.status} ${await response.text()}`);
  }
}

/** One tab with the studio. Everything is found as a person finds it: by its role and name. */
export class StudioTab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async goTo(route: string): Promise<void> {
    await this.page.evaluate((hash) => {
      location.hash = hash;
    }, `#/${route}`);
    if (route.startsWith('item/')) await this.button('Duplicate').waitFor();
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The fields in a language. */
  fields(lang = 'Japanese'): Locator {
    return this.page.getByRole('group', { name: `Fields in ${lang}`, exact: true });
  }

  field(name: string, lang?: string): Locator {
    return this.fields(lang).getByLabel(name, { exact: true });
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name, exact: true });
  }

  get itemId(): number {
    return Number(/#\/item\/(\d+)/.exec(this.page.url())?.[1]);
  }

  /** Fills in a new item and saves it. Returns its id. */
  async create(model: string, fill: () => Promise<void>): Promise<number> {
    await this.goTo(`new/${model}`);
    await this.fields().waitFor();
    await fill();
    await this.button('Save draft').click();
    await this.page.waitForURL(/#\/item\/\d+/);
    await this.settled();
    return this.itemId;
  }

  async save(): Promise<void> {
    await this.button('Save draft').click();
    await this.settled();
  }

  async saveAndPublish(): Promise<void> {
    await this.button('Save and publish').click();
    await this.settled();
    await this.state('Published').waitFor();
  }

  /** Nothing is unsaved and nothing is being saved: only then an item can be duplicated. */
  async settled(): Promise<void> {
    await this.page.getByRole('button', { name: 'Duplicate', exact: true, disabled: false }).waitFor();
  }

  state(status: string): Locator {
    const side = this.page.getByRole('complementary', { name: 'State and actions' });
    return side.getByText(status, { exact: true });
  }

  language(name: string): Locator {
    return this.page.getByRole('tab', { name: new RegExp(`^(Add )?${name}`) });
  }

  async addLanguage(name: string): Promise<void> {
    await this.language(name).click();
    await this.button(`Add ${name}`).click();
    await this.fields(name).waitFor();
  }

  /** A time of the item, in the service's own notation; `null` if it has none. */
  async time(name: string): Promise<string | null> {
    const row = this.page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) });
    const value = row.locator('xpath=following-sibling::dd[1]');
    const time = value.locator('time');
    return (await time.count()) > 0 ? await time.getAttribute('datetime') : null;
  }

  focusedName(): Promise<string> {
    return this.page.evaluate(() => {
      const element = document.activeElement;
      const label = (element as HTMLInputElement | null)?.labels?.[0]?.textContent;
      return element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '';
    });
  }
}

/** The entry of a repeat or the block of a combination, by its name such as `rows 2`. The innermost, if nested. */
export function entry(group: Locator, name: string): Locator {
  const remove = group.page().getByRole('button', { name: `Remove ${name}`, exact: true });
  return group.getByRole('listitem').filter({ has: remove }).last();
}

/** Answers the next question of the browser, and returns its kind and text. */
export function answerDialog(page: Page, answer: 'accept' | 'dismiss'): Promise<string> {
  return new Promise((resolve) => {
    page.once('dialog', async (dialog) => {
      await dialog[answer]();
      resolve(`${dialog.type()}: ${dialog.message()}`);
    });
  });
}
