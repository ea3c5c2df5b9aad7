import { Recording } from './recording.mjs';
import { BAR, openStage } from './stage.mjs';

/** How long frames are shown, in milliseconds. */
const KEY = 70;
const STEP = 40;
const STEPS = 9;
const BEFORE_CLICK = 250;

/**
 * Windows on a stage, and a person who uses them. What happens is recorded: every method that does something adds the
 * frames that show it, each after the state that it shows was reached.
 */
export class Scene {
  recording = new Recording();
  #browser;
  #stage;
  #windows;
  #pages = {};
  #terminals = {};
  #pointer;

  static async open(browser, size, windows) {
    const scene = new Scene();
    scene.#browser = browser;
    scene.#windows = windows;
    scene.#stage = await openStage(browser, size, windows);
    return scene;
  }

  /** Opens a page in a browser window, and returns it. */
  async openPage(name, url) {
    const { width, height, scale } = this.#windows[name];
    const context = await this.#browser.newContext({
      viewport: { width: width / scale, height: (height - BAR) / scale },
      deviceScaleFactor: scale,
      colorScheme: 'light',
      locale: 'en-GB',
      timezoneId: 'Asia/Tokyo',
      reducedMotion: 'reduce',
    });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    await page.goto(url);
    this.#pages[name] = page;
    return page;
  }

  setTerminal(name, terminal) {
    this.#terminals[name] = terminal;
  }

  /** Records what the windows show now. */
  async hold(duration) {
    for (const [name, page] of Object.entries(this.#pages)) {
      await this.#stage.showImage(name, await page.screenshot({ animations: 'disabled' }));
    }
    for (const [name, terminal] of Object.entries(this.#terminals)) {
      await this.#stage.showScreen(name, terminal.screen());
    }
    await this.#capture(duration);
  }

  /** Moves the pointer to an element of a page. */
  async moveTo(name, locator) {
    const { x, y, scale } = this.#windows[name];
    const box = await locator.boundingBox();
    // Not the center of a wide field, where the pointer would cover text.
    const inPage = { x: box.x + Math.min(box.width / 2, 120), y: box.y + box.height * 0.6 };
    const to = { x: x + inPage.x * scale, y: y + BAR + inPage.y * scale };
    const from = this.#pointer ?? { x: to.x + 160, y: to.y + 200 };
    for (let step = 1; step <= STEPS; step++) {
      const part = (1 - Math.cos((step / STEPS) * Math.PI)) / 2;
      await this.#stage.movePointer({
        x: from.x + (to.x - from.x) * part,
        y: from.y + (to.y - from.y) * part,
      });
      await this.#capture(STEP);
    }
    this.#pointer = to;
    await this.#pages[name].mouse.move(inPage.x, inPage.y);
    await this.hold(BEFORE_CLICK);
    return inPage;
  }

  /** Clicks an element, without recording what follows. */
  async click(name, locator) {
    const { x, y } = await this.moveTo(name, locator);
    await this.#pages[name].mouse.click(x, y);
  }

  /** Types into a field that has the focus, or removes characters from its end with `Backspace`. */
  async type(name, keys) {
    const page = this.#pages[name];
    for (const key of keys) {
      await page.keyboard.press(key === ' ' ? 'Space' : key);
      await this.hold(KEY);
    }
  }

  /** Types into a terminal. */
  async typeInTerminal(name, text) {
    for (const character of text) {
      await this.#terminals[name].type(character);
      await this.hold(KEY);
    }
  }

  async close() {
    await Promise.all(Object.values(this.#pages).map((page) => page.context().close()));
    await this.#stage.close();
  }

  async #capture(duration) {
    this.recording.add(await this.#stage.capture(), duration);
  }
}

/** The two halves of the stage. */
export function sideBySide({ width, height }, margin) {
  const half = (width - margin * 2 - 16) / 2;
  const place = { y: margin, width: half, height: height - margin * 2 };
  return [
    { ...place, x: margin },
    { ...place, x: width - margin - half },
  ];
}
