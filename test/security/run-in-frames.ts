/** Displays each text in a frame, triggers events on all elements, and returns the indexes of texts that ran code. */
export async function runInFrames(texts: readonly string[]): Promise<number[]> {
  const executed = new Set<number>();
  const nextTask = () => new Promise((resolve) => setTimeout(resolve));
  const tryText = async (text: string, index: number) => {
    const frame = document.createElement('iframe');
    const check = () => {
      try {
        if ((frame.contentWindow as { __pwned?: unknown } | null)?.__pwned) executed.add(index);
      } catch {
        // The frame navigated to another origin.
        executed.add(index);
      }
    };
    document.body.append(frame);
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    frame.srcdoc = `<!doctype html><body>${text}`;
    await loaded;
    check();
    for (const element of frame.contentDocument?.querySelectorAll<HTMLElement>('body *') ?? []) {
      const protocol = 'protocol' in element ? String(element.protocol) : '';
      for (const type of ['mouseover', 'focus', 'toggle']) element.dispatchEvent(new Event(type));
      if (!/^(http|mailto|tel|blob|file)/.test(protocol)) element.click?.();
      await nextTask();
      check();
    }
    for (let n = 0; n < 5; n++) await nextTask();
    check();
    frame.remove();
  };
  Object.assign(window, { __pwned: undefined });
  for (let at = 0; at < texts.length; at += 50) {
    await Promise.all(texts.slice(at, at + 50).map((text, index) => tryText(text, at + index)));
  }
  if ((window as { __pwned?: unknown }).__pwned) executed.add(-1);
  return [...executed];
}
