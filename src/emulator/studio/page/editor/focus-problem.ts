import { idOf } from './fields/form-context.ts';
import { withParents } from './model/paths.ts';

const FOCUSABLE = 'input, textarea, select, button';

/** Moves the focus to a value that is not valid, or to the closest field around it. */
export function focusProblem(lang: string, path: string): void {
  afterRender(() => {
    for (const candidate of withParents(path)) {
      const element = document.getElementById(idOf(lang, candidate));
      if (!element) continue;
      const target = element.matches('fieldset')
        ? (element.querySelector<HTMLElement>(FOCUSABLE) ?? element)
        : element;
      target.focus();
      target.scrollIntoView({ block: 'center' });
      return;
    }
  });
}

/** Returns the focus to an element that was disabled for a while. */
export function focusAgain(element: Element | null): void {
  afterRender(() => {
    if (element instanceof HTMLElement) element.focus();
  });
}

/** Two frames: one for the changed state to be rendered, one for its effects. */
function afterRender(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(run));
}
