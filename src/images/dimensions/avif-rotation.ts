/** Whether an AVIF image is displayed rotated by 90° or 270°. */
export function isAvifRotated(file: Buffer): boolean {
  // `meta` starts with its version and flags.
  const properties = boxIn(boxIn(boxIn(file, 'meta').subarray(4), 'iprp'), 'ipco');
  const [quarterTurns = 0] = boxIn(properties, 'irot');
  return quarterTurns % 2 === 1;
}

/** Of the size and the name of a box. */
const BOX_HEADER = 8;

/** The content of the first box of this name; empty if there is none. */
function boxIn(boxes: Buffer, name: string): Buffer {
  let at = 0;
  while (at + BOX_HEADER <= boxes.length) {
    const size = boxes.readUInt32BE(at);
    if (size < BOX_HEADER) break;
    if (boxes.toString('latin1', at + 4, at + BOX_HEADER) === name) {
      return boxes.subarray(at + BOX_HEADER, at + size);
    }
    at += size;
  }
  return Buffer.alloc(0);
}
