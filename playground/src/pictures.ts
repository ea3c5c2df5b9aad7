/**
 * How large pictures are shown. `sizes` repeats what the styles say: the page is at most 1120 px wide with
 * 20 px beside it, columns are 32 px apart.
 */
const page = 'min(1120px, 100vw - 40px)';

/** The widths of a grid of two columns from 600 px on, and of three from 900 px on. */
const columns = [
  `(min-width: 900px) calc((${page} - 64px) / 3)`,
  '(min-width: 600px) calc((100vw - 72px) / 2)',
  'calc(100vw - 40px)',
].join(', ');

export const hero = { width: 1120, height: 560, sizes: page } as const;
export const card = { width: 560, height: 420, sizes: columns } as const;
export const half = {
  width: 560,
  height: 640,
  sizes: `(min-width: 900px) calc((${page} - 64px) / 2), calc(100vw - 40px)`,
} as const;
export const portrait = { layout: 'fixed', width: 88, height: 88 } as const;
export const bigPortrait = { layout: 'fixed', width: 200, height: 200 } as const;
export const thumbnail = { layout: 'fixed', width: 96, height: 96 } as const;

/** Pictures inside of a text, which is as wide as 38 characters. */
export const text = { width: 680, sizes: 'min(680px, 100vw - 40px)' } as const;
