/**
 * Sizes and crops of images. `sizes` repeats the styles: the page is at most 1120 px wide with a margin of
 * 20 px, and its columns are 32 px apart. An image that is cropped from a wider one is as large as the original.
 */
const page = 'min(1120px, 100vw - 40px)';
const quarter = `calc((${page} - 96px) / 4)`;
const third = `calc((${page} - 64px) / 3)`;
const half = `calc((${page} - 32px) / 2)`;
const crop = { class: 'crop' } as const;

/** The full width of the page; on a phone from edge to edge, and cropped less. */
export const hero = {
  ...crop,
  width: 1120,
  height: 700,
  sizes: `(min-width: 600px) ${page}, 120vw`,
} as const;

/** Two of three columns. */
export const broad = { ...crop, width: 736, height: 552, sizes: 'min(736px, 100vw - 40px)' } as const;

/** The same beside two stacked images, so a little taller. */
export const leading = { ...crop, width: 748, height: 561, sizes: 'min(748px, 100vw - 40px)' } as const;

/** One of two columns. */
export const large = {
  ...crop,
  width: 544,
  height: 363,
  sizes: `(min-width: 600px) ${half}, ${page}`,
} as const;

/** One of three columns; on a phone a square beside the text. */
export const card = {
  ...crop,
  width: 560,
  height: 420,
  widths: [160, 320, 480, 560, 750, 1120],
  sizes: `(min-width: 900px) ${third}, (min-width: 600px) ${half}, 150px`,
} as const;

/** The same, one of four columns. */
export const narrow = {
  ...card,
  sizes: `(min-width: 900px) ${quarter}, (min-width: 600px) ${half}, 150px`,
} as const;

/** One of three columns; on a phone one of two. */
export const small = { ...card, sizes: `(min-width: 900px) ${third}, ${half}` } as const;

/** One of two columns. */
export const upright = { ...crop, width: 544, height: 622, sizes: large.sizes } as const;

/** The same, in its own proportions. */
export const whole = { width: 544, sizes: large.sizes } as const;

export const portrait = { layout: 'fixed', width: 88, height: 88 } as const;
export const bigPortrait = { layout: 'fixed', width: 200, height: 200 } as const;
export const thumbnail = { layout: 'fixed', width: 96, height: 96 } as const;

/** Images inside a body. */
export const text = { width: 680, sizes: 'min(680px, 100vw - 40px)', placeholder: true } as const;
