import { logWarning } from './output.ts';

const GRACE = 2000;

/**
 * Ends this process although something that the space has opened keeps it alive, such as the connection of a storage. What
 * it has printed is written first.
 */
export function endProcess(): void {
  // Does not keep the process alive itself: it is called only if something else does.
  setTimeout(() => {
    const { stdout, stderr } = process;
    if (stdout.writableLength + stderr.writableLength > 0) return endProcess();
    const open = process.getActiveResourcesInfo().filter((kind) => !OWN.test(kind));
    logWarning(`Ended, although something is still open (${[...new Set(open)].join(', ')}). ${HINT}`);
    process.exit();
  }, GRACE).unref();
}

/** Standard streams. */
const OWN = /^(TTYWrap|PipeWrap)$/;
const HINT = 'If it is of `cache.storage`, its driver does not end with dispose()';
