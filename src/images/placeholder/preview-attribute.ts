import { thumbHashToRGBA } from 'thumbhash';
import type { ImagePlaceholder } from '../../models/field-types/media.ts';

/** The attribute of an `<img>` that `placeholder.css` draws the preview from. */
const ATTRIBUTE = 'data-luid-placeholder';

/** The preview is a grid of 3 × 3 colors. */
const CELLS = [0, 1, 2];
/** One letter per channel of each color, row by row; the digit after it is the value of the channel in 16 steps. */
const CHANNELS = 'abcdefghijklmnopqrstuvwxyzZ';

/**
 * The attributes of an `<img>` that show its placeholder until the image is loaded: none, or one, whose value is 27 letters,
 * each with an upper-case hexadecimal digit. A selector can match such a pair anywhere in the value, because no digit is
 * also a letter of a channel. `ratio` is the height of the box that the image is cropped to, divided by its width. None for
 * an image with transparent parts, through which the preview would stay visible.
 */
export function previewAttributes(
  placeholder: ImagePlaceholder | null | undefined,
  ratio?: number | undefined,
): Readonly<Record<string, string>> {
  if (!placeholder || placeholder.hasAlpha) return {};
  const decoded = decodeThumbHash(placeholder.thumbHash);
  if (!decoded) return {};
  const { w, h, rgba } = decoded;
  const shown = visiblePart(w, h, ratio);
  const colors = CELLS.flatMap((row) =>
    CELLS.flatMap((column) => {
      const cell = {
        left: shown.left + (shown.width * column) / 3,
        top: shown.top + (shown.height * row) / 3,
        right: shown.left + (shown.width * (column + 1)) / 3,
        bottom: shown.top + (shown.height * (row + 1)) / 3,
      };
      return averageColor(rgba, w, h, cell);
    }),
  );
  const digits = colors.map((value) =>
    Math.round(value / 17)
      .toString(16)
      .toUpperCase(),
  );
  return { [ATTRIBUTE]: digits.map((digit, index) => `${CHANNELS[index]}${digit}`).join('') };
}

/** `undefined` if it is malformed. */
function decodeThumbHash(base64: string): ReturnType<typeof thumbHashToRGBA> | undefined {
  try {
    const decoded = thumbHashToRGBA(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
    return decoded.w > 0 && decoded.h > 0 ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** The centre of an image with this ratio. */
function visiblePart(width: number, height: number, ratio = height / width) {
  const shownWidth = Math.min(width, height / ratio);
  const shownHeight = Math.min(height, width * ratio);
  return {
    left: (width - shownWidth) / 2,
    top: (height - shownHeight) / 2,
    width: shownWidth,
    height: shownHeight,
  };
}

/** The average of the pixels in a cell, at least of one. */
function averageColor(
  rgba: Uint8Array,
  width: number,
  height: number,
  { left, top, right, bottom }: Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>,
): [number, number, number] {
  const [firstX, firstY] = [Math.min(width - 1, Math.floor(left)), Math.min(height - 1, Math.floor(top))];
  const [endX, endY] = [Math.max(firstX + 1, Math.floor(right)), Math.max(firstY + 1, Math.floor(bottom))];
  const sum: [number, number, number] = [0, 0, 0];
  for (let y = firstY; y < endY; y++) {
    for (let x = firstX; x < endX; x++) {
      for (const channel of [0, 1, 2] as const) sum[channel] += rgba[(y * width + x) * 4 + channel] ?? 0;
    }
  }
  const count = (endX - firstX) * (endY - firstY);
  return [sum[0] / count, sum[1] / count, sum[2] / count];
}
