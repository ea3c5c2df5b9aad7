import fs, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Kills this process at its n-th request or step of a write. A file is then half written; any other step has not
 * happened yet.
 */
export function killAt(n: number): void {
  let steps = 0;
  const isLast = () => ++steps === n;
  const kill = () => process.kill(process.pid, 'SIGKILL');
  const before = <A extends unknown[], R>(work: (...args: A) => R) => {
    return (...args: A): R => {
      if (isLast()) kill();
      return work(...args);
    };
  };

  globalThis.fetch = before(globalThis.fetch);
  const open = fs.open;
  const openFile: typeof fs.open = async (path, flags, mode) => {
    if (flags === 'r') return open(path, flags, mode);
    if (isLast()) kill();
    const file = await open(path, flags, mode);
    const writeFile = file.writeFile.bind(file);
    const write: FileHandle['writeFile'] = async (data) => {
      if (!isLast()) return writeFile(data);
      const bytes = Buffer.from(data as Uint8Array);
      await writeFile(bytes.subarray(0, bytes.length / 2));
      kill();
    };
    return Object.assign(file, { writeFile: write, sync: before(file.sync.bind(file)) });
  };
  Object.assign(fs, { open: openFile, rename: before(fs.rename), rm: before(fs.rm) });
  syncBuiltinESMExports();
}
