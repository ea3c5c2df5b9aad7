import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

type Encoded = 'png' | 'jpeg' | 'webp' | 'avif' | 'gif';

/** An image of one colour. */
export async function createImage(
  width: number,
  height: number,
  format: Encoded = 'png',
): Promise<Uint8Array> {
  const image = sharp({ create: { width, height, channels: 3, background: { r: 20, g: 90, b: 200 } } });
  return new Uint8Array(await image.toFormat(format).toBuffer());
}

/** The size and format of an image: `40x20 png`. */
export async function describeImage(bytes: Uint8Array): Promise<string> {
  const { width, height, format, compression } = await sharp(bytes).metadata();
  // sharp reports AVIF as the container format and the compression.
  return `${width}x${height} ${format === 'heif' && compression === 'av1' ? 'avif' : format}`;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A valid PNG of a few bytes with any size in its header. */
export function createPngWithSize(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A zip archive with one stored file in it. */
export function createZip(name: string, content: Uint8Array): Uint8Array {
  const file = Buffer.from(name);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(content.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(file.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, file, content]);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(14), file]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}
