/**
 * The bytes, which begin where numbers can be read. Not all servers have `Buffer`. What is long is not copied: only short
 * buffers may begin anywhere in memory.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  if (typeof Buffer === 'function') {
    const bytes = Buffer.from(text, 'base64');
    return bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  }
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = characters.charCodeAt(index);
  return bytes;
}
