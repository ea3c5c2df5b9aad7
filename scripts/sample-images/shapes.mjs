import { random } from '../sample-space/random.mjs';

let gradients = 0;

/** A vertical gradient over an area: `[offset, colour]` from top to bottom. */
export function verticalGradient(x, y, width, height, ...stops) {
  gradients += 1;
  const id = `g${gradients}`;
  const stopElements = stops
    .map(([offset, colour]) => `<stop offset="${offset}" stop-color="${colour}"/>`)
    .join('');
  return `<defs><linearGradient id="${id}" x2="0" y2="1">${stopElements}</linearGradient></defs>
    <rect x="${x}" y="${y}" width="${width}" height="${height}" fill="url(#${id})"/>`;
}

export const rect = (x, y, width, height, fill, more = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
export const circle = (x, y, r, fill, more = '') =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`;
export const ellipse = (x, y, rx, ry, fill, more = '') =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`;
export const polygon = (points, fill, more = '') => `<polygon points="${points}" fill="${fill}" ${more}/>`;
export const path = (d, fill, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`;
export const line = (d, colour, width, more = '') =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round" ${more}/>`;
export const group = (transform, ...parts) => `<g transform="${transform}">${parts.join('')}</g>`;

/** A sun or moon with a soft ring around it. */
export const orb = (x, y, r, fill) =>
  circle(x, y, r * 2.2, fill, 'opacity=".12"') +
  circle(x, y, r * 1.5, fill, 'opacity=".18"') +
  circle(x, y, r, fill);

/** The outline of hills from left to right, filled to the bottom. `rough` adds random peaks. */
export function ridge(width, height, { y, amp, seed, fill, rough = 0 }) {
  const next = random(seed);
  const [a, b, c] = [next() * 6, next() * 6, next() * 6];
  const points = Array.from({ length: 61 }, (_, step) => {
    const t = step / 60;
    const wave = Math.sin(t * 5 + a) + 0.5 * Math.sin(t * 11 + b) + 0.25 * Math.sin(t * 23 + c);
    return `${(t * width).toFixed(1)},${(y + (wave * 0.6 + (next() - 0.5) * rough) * amp).toFixed(1)}`;
  });
  return polygon(`0,${height} ${points.join(' ')} ${width},${height}`, fill);
}

/** Several ridges, from the most distant to the nearest. */
export function ridges(width, height, colours, { from, step, amp, seed, rough = 0 }) {
  return colours
    .map((fill, index) =>
      ridge(width, height, { y: from + step * index, amp, seed: seed + index * 7, fill, rough }),
    )
    .join('');
}

/** Reflections of light on water. */
export function glints(x, y, width, height, colour, count, seed) {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const down = next();
    const length = 20 + down * 90;
    const at = x + next() * (width - length);
    const top = y + down * height;
    return rect(
      at.toFixed(0),
      top.toFixed(0),
      length.toFixed(0),
      (2 + down * 4).toFixed(0),
      colour,
      'rx="2" opacity=".5"',
    );
  }).join('');
}

/** A gabled house with its lower left corner at (x, y); `lit` is the colour of lit windows. */
export function house(x, y, width, height, { wall, roof, lit, snow }) {
  const eave = width * 0.12;
  const top = y - height;
  const windows = [0.2, 0.58].map((at) =>
    rect(x + width * at, top + height * 0.35, width * 0.22, height * 0.28, lit ?? '#0003'),
  );
  const gable = `${x - eave},${top} ${x + width / 2},${top - height * 0.55} ${x + width + eave},${top}`;
  const cap = `${x - eave},${top - 4} ${x + width / 2},${top - height * 0.62} ${x + width + eave},${top - 4}`;
  return [
    rect(x, top, width, height, wall),
    polygon(gable, roof),
    snow ? polygon(cap, snow) : '',
    ...windows,
  ].join('');
}

/** A cedar with three tiers and a trunk. */
function cedar(x, y, size, fill) {
  const tier = (bottom, half, top) =>
    polygon(`${x - half},${y - bottom} ${x},${y - top} ${x + half},${y - bottom}`, fill);
  return [
    rect(x - size * 0.03, y - size * 0.15, size * 0.06, size * 0.15, fill),
    tier(size * 0.12, size * 0.24, size * 0.55),
    tier(size * 0.34, size * 0.19, size * 0.78),
    tier(size * 0.56, size * 0.14, size),
  ].join('');
}

export function cedars(x, y, width, count, size, fill, seed) {
  const next = random(seed);
  return Array.from({ length: count }, (_, index) => {
    const at = x + (width / count) * (index + next() * 0.7);
    return cedar(at, y + next() * size * 0.1, size * (0.7 + next() * 0.6), fill);
  }).join('');
}

/** Steam or smoke that rises from a point. */
export function steam(x, y, height, colour, opacity = 0.35, sway = 40) {
  const curl = (shift, width) =>
    line(
      `M${x + shift},${y} C${x + shift - sway},${y - height * 0.3} ${x + shift + sway},${y - height * 0.6} ${x + shift},${y - height}`,
      colour,
      width,
      `opacity="${opacity}"`,
    );
  return curl(0, 18) + curl(46, 12) + curl(-40, 10);
}

export const cloud = (x, y, size, fill, opacity = 0.8) =>
  `<g opacity="${opacity}">${[
    ellipse(x, y, size, size * 0.26, fill),
    ellipse(x - size * 0.35, y - size * 0.16, size * 0.42, size * 0.28, fill),
    ellipse(x + size * 0.25, y - size * 0.22, size * 0.5, size * 0.34, fill),
  ].join('')}</g>`;

/** A fishing boat at (x, y). */
export const boat = (x, y, size, hull, cabin) =>
  group(
    `translate(${x} ${y}) scale(${size / 100})`,
    path('M-60,-18 L62,-22 Q52,8 34,10 L-42,10 Q-56,4 -60,-18 Z', hull),
    rect(-22, -46, 40, 28, cabin, 'rx="3"'),
    rect(-14, -40, 10, 10, '#0005'),
    rect(2, -40, 10, 10, '#0005'),
    line('M-30,-20 V-84 M-30,-80 L-56,-26 M44,-22 V-60', hull, 3),
    ellipse(0, 16, 66, 5, '#000', 'opacity=".14"'),
  );

export const bird = (x, y, size, colour) =>
  line(
    `M${x - size},${y - size * 0.3} Q${x - size * 0.4},${y - size * 0.7} ${x},${y} Q${x + size * 0.4},${y - size * 0.7} ${x + size},${y - size * 0.3}`,
    colour,
    Math.max(2, size * 0.14),
  );

export const svg = (width, height, ...parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${parts.join('')}</svg>`;
