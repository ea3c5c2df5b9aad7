import { scanTags } from '../../models/text/scan-tags.ts';
import type { Dimensions } from './known-dimensions.ts';

/** In pixels. */
const UNITS = new Map(
  Object.entries({ '': 1, px: 1, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, pt: 96 / 72, pc: 16, em: 16, ex: 8 }),
);

/** The size of an SVG image by its root element; `undefined` if it has none, and for all other texts. */
export function svgSize(text: string): Dimensions | undefined {
  if (!/^\uFEFF?\s*</.test(text)) return undefined;
  const [root] = scanTags(text);
  // An HTML page may contain an `<svg>` too.
  if (root?.name !== 'svg') return undefined;
  const attribute = (name: string) => root.attributes.find((one) => one.name === name)?.value.trim() ?? '';
  const width = parseLength(attribute('width'));
  const height = parseLength(attribute('height'));
  if (width && height) return { width, height };
  const [, , boxWidth = 0, boxHeight = 0] = attribute('viewbox')
    .split(/[\s,]+/)
    .map(Number);
  if (!(boxWidth > 0 && boxHeight > 0)) return undefined;
  if (width) return { width, height: (width * boxHeight) / boxWidth };
  if (height) return { width: (height * boxWidth) / boxHeight, height };
  return { width: boxWidth, height: boxHeight };
}

/** A length in pixels; `undefined` for percentages. */
function parseLength(text: string): number | undefined {
  const [, number, unit = ''] = /^([\d.]+(?:e[+-]?\d+)?)([a-z]*)$/i.exec(text) ?? [];
  return Number(number) * (UNITS.get(unit.toLowerCase()) ?? Number.NaN) || undefined;
}
