import { badRequest, Refusal } from '../http/refusal.ts';
import type { Parameters } from '../read/query.ts';
import type { Picture, PictureFormat } from './image-info.ts';

/** What the CDN image optimizer is asked for (§2.2). */
export interface PictureAsk {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly fit: Fit;
  /** `undefined`: that of the original. */
  readonly format: PictureFormat | undefined;
  readonly progressive: boolean;
}

/**
 * How a picture meets a box of two sides, always in its own proportions: `bounds` inside of it,
 * `cover` around it, `crop` cut around its centre to exactly the box.
 */
const FITS = ['bounds', 'cover', 'crop'] as const;
type Fit = (typeof FITS)[number];

const FORMATS: ReadonlyMap<string, PictureFormat> = new Map([
  ['jpg', 'jpeg'],
  ['jpeg', 'jpeg'],
  ['pjpg', 'jpeg'],
  ['png', 'png'],
  ['webp', 'webp'],
  ['avif', 'avif'],
]);

const LONGEST_SIDE = 8_192;
/** What one result may cost: as AVIF, the slowest format, 17 million pixels take some seconds and 600 MB. */
const MOST_PIXELS = 4_096 * 4_096;

/** The parameters, checked; `undefined` if nothing is asked that changes a picture. */
export function parsePictureAsk(parameters: Parameters): PictureAsk | undefined {
  const width = side(parameters.get('width'));
  const height = side(parameters.get('height'));
  const fit = FITS.find((known) => known === (parameters.get('fit') ?? FITS[0]));
  const name = parameters.get('format');
  const format = name === undefined ? undefined : FORMATS.get(name);
  if (!fit || (name !== undefined && !format)) throw badRequest();
  if (width === undefined && height === undefined && format === undefined) return undefined;
  return { width, height, fit, format, progressive: name === 'pjpg' };
}

/**
 * The size of the result; `undefined` where an original is too large to be worked on as asked. One side
 * alone never enlarges; two sides do, up to a limit. The side that decides is exact, the other is rounded.
 */
export function sizeOf(ask: PictureAsk, original: Size): Size | undefined {
  const size = wantedSize(ask, original);
  const isTooLarge =
    Math.max(size.width, size.height) > LONGEST_SIDE || size.width * size.height > MOST_PIXELS;
  if (!isTooLarge) return size;
  if (size.width <= original.width && size.height <= original.height) return undefined;
  throw new Refusal(400, {
    explanation: `The image would be enlarged to ${size.width} × ${size.height} pixels. The emulator makes at most ${LONGEST_SIDE} on a side and ${MOST_PIXELS} in all.`,
  });
}

type Size = Pick<Picture, 'width' | 'height'>;

function wantedSize(ask: PictureAsk, { width, height }: Size): Size {
  const scaled = (scale: number) => ({
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  });
  if (ask.width === undefined && ask.height === undefined) return { width, height };
  if (ask.height === undefined) return scaled(Math.min(1, (ask.width as number) / width));
  if (ask.width === undefined) return scaled(Math.min(1, ask.height / height));
  if (ask.fit === 'crop') return { width: ask.width, height: ask.height };
  const scales = [ask.width / width, ask.height / height] as const;
  return scaled(ask.fit === 'cover' ? Math.max(...scales) : Math.min(...scales));
}

function side(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const length = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (length < 1 || length > LONGEST_SIDE) throw badRequest();
  return length;
}
