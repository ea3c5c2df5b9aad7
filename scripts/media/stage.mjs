import { terminalHtml } from './terminal-html.mjs';

/** The height of a window's bar, and the space around windows. */
export const BAR = 44;
export const MARGIN = 20;

const POINTER = `<svg width="30" height="40" viewBox="0 0 15 20" xmlns="http://www.w3.org/2000/svg">
  <path d="M1 1v14.5l3.6-3.3 2.6 6 2.5-1.1-2.6-5.8h5.1z" fill="#111" stroke="#fff" stroke-width="1.3"/></svg>`;

const STYLE = `
  * { box-sizing: border-box; margin: 0; }
  body { background: linear-gradient(135deg, #e8eaf3, #d9dfec); overflow: hidden; font-family: "DejaVu Sans", "Noto Sans", sans-serif; }
  section { position: absolute; overflow: hidden; border-radius: 12px; background: #fff; outline: 1px solid #1b1f2a2e; }
  header { position: relative; height: ${BAR}px; display: flex; align-items: center; gap: 9px; padding: 0 16px; background: #f1f2f6; border-bottom: 1px solid #d5d8e0; color: #4b5163; font-size: 19px; white-space: nowrap; }
  header i { flex: none; width: 13px; height: 13px; border-radius: 50%; background: #c3c8d4; }
  header span { margin-left: 10px; padding: 3px 16px; border-radius: 8px; }
  .browser header span { flex: 1; background: #fff; }
  .terminal, .terminal header { background: #1b1f2a; color: #aab2c5; border-color: #343b4d; }
  .terminal { outline-color: #1b1f2a; }
  .terminal header { background: #262c3a; }
  .terminal header i { background: #4a5266; }
  pre { padding: 14px 16px; font-family: "DejaVu Sans Mono", "Noto Sans Mono CJK JP", monospace; line-height: 1.32; color: #d8dee9; }
  img { display: block; width: 100%; }
  #pointer { position: absolute; left: 0; top: 0; filter: drop-shadow(0 2px 2px #0005); }
`;

/**
 * A page that shows windows as they are on a screen, with a mouse pointer. Browser windows have an `address`,
 * terminals a `title` and a `fontSize`; both have their place, `x`, `y`, `width` and `height`, including the bar.
 */
export async function openStage(browser, { width, height }, windows) {
  const context = await browser.newContext({ viewport: { width, height } });
  const page = await context.newPage();
  await page.setContent(`<style>${STYLE}</style>${Object.entries(windows).map(windowHtml).join('')}
    <div id="pointer" hidden>${POINTER}</div>`);
  return {
    /** Shows a screenshot, a PNG file, in a browser window. */
    showImage: (name, png) =>
      page.locator(`#${name} img`).evaluate(
        (image, src) => {
          image.src = src;
          return image.decode();
        },
        `data:image/png;base64,${png.toString('base64')}`,
      ),
    /** Shows a screen of a terminal in its window. */
    showScreen: (name, screen) =>
      page.locator(`#${name} pre`).evaluate((element, html) => {
        element.innerHTML = html;
      }, terminalHtml(screen)),
    /** Moves the mouse pointer, which is hidden at first, to a point. */
    movePointer: (point) =>
      page.locator('#pointer').evaluate((element, to) => {
        element.hidden = false;
        element.style.transform = `translate(${to.x - 2}px, ${to.y - 2}px)`;
      }, point),
    capture: () => page.screenshot({ animations: 'disabled' }),
    close: () => context.close(),
  };
}

function windowHtml([name, { address, title, fontSize, x, y, width, height }]) {
  const place = `left:${x}px;top:${y}px;width:${width}px;height:${height}px`;
  const content = address === undefined ? `<pre style="font-size:${fontSize}px"></pre>` : '<img alt="">';
  return `<section id="${name}" class="${address === undefined ? 'terminal' : 'browser'}" style="${place}">
    <header><i></i><i></i><i></i><span>${address ?? title}</span></header>${content}</section>`;
}
