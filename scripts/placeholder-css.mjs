// The stylesheet that draws placeholders: dist/placeholder.css. Policies that forbid `style` attributes and `data:` URLs
// allow it, because the colors of an image are in an attribute that selectors match: a letter per channel and a digit
// for its value. See src/images/placeholder/preview-attribute.ts.

const ATTRIBUTE = 'data-luid-placeholder';
const CHANNELS = [...'abcdefghijklmnopqrstuvwxyzZ'];
const DIGITS = [...'0123456789ABCDEF'];
const CENTRE = 4;

const color = (cell) => {
  const [red, green, blue] = CHANNELS.slice(cell * 3, cell * 3 + 3).map((name) => `var(--luid-${name})`);
  return `rgb(${red} ${green} ${blue})`;
};

/** The color of a cell at its edge or corner, fading out to the centre of the others. */
const gradient = (cell) =>
  `radial-gradient(75% 55% at ${(cell % 3) * 50}% ${Math.floor(cell / 3) * 50}%, ${color(cell)} 15%, transparent)`;

/** In the layer of Astro's image styles, so that any style of the site overrides it. */
export function placeholderCss() {
  const around = [0, 1, 2, 3, 4, 5, 6, 7, 8].filter((cell) => cell !== CENTRE);
  const rules = CHANNELS.flatMap((name) =>
    DIGITS.map((digit, value) => `[${ATTRIBUTE}*=${name}${digit}]{--luid-${name}:${value * 17}}`),
  );
  return `@layer astro.images{
:where([${ATTRIBUTE}]){
/* The alternative text of an image that cannot be loaded is readable on every color. */
color:#000;
text-shadow:0 0 3px #fff,0 0 3px #fff,0 0 3px #fff;
background:${around.map(gradient).join(',\n')},
${color(CENTRE)};
/* Neither a border nor a padding shows it around the loaded image. */
background-clip:content-box;
background-origin:content-box;
}
${rules.join('\n')}
}
`;
}
