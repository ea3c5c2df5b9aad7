/** How wide pictures are shown: as the text, which has a margin of 1.5rem on either side. */
export const column = {
  width: 688,
  sizes: '(min-width: 736px) 688px, calc(100vw - 3rem)',
} as const;
