import { describe, expect, it } from 'vitest';
import { PAGE_SIZE, PagedRows } from '../../../../src/emulator/studio/page/content/paged-rows.ts';

/** A list of numbers whose requests are answered by hand. */
function createRows(total: number) {
  const requests: { offset: number; signal: AbortSignal; respond: (add?: number) => Promise<void> }[] = [];
  const rows = new PagedRows<number>(
    (offset, limit, signal) =>
      new Promise((resolve) => {
        const respond = async (add = 0) => {
          const count = Math.min(limit, total - offset);
          resolve({ total, rows: Array.from({ length: count }, (_, index) => offset + index + add) });
          await Promise.resolve();
          await Promise.resolve();
        };
        requests.push({ offset, signal, respond });
      }),
    () => undefined,
  );
  return { rows, requests };
}

describe('a long list', () => {
  it('loads the pages in view only, once', async () => {
    const { rows, requests } = createRows(100_000);
    rows.show(PAGE_SIZE * 3 + 90, PAGE_SIZE * 4 + 10);
    expect(requests.map(({ offset }) => offset)).toEqual([300, 400]);
    await requests[0]!.respond();
    await requests[1]!.respond();
    expect(rows.total).toBe(100_000);
    expect(rows.row(395)).toBe(395);
    expect(rows.row(0)).toBeUndefined();
    rows.show(320, 330);
    expect(requests).toHaveLength(2);
  });
  it('cancels requests for pages that were scrolled past', () => {
    const { rows, requests } = createRows(100_000);
    rows.show(0, 10);
    rows.show(50_000, 50_010);
    expect(requests[0]!.signal.aborted).toBe(true);
    expect(requests[1]!.signal.aborted).toBe(false);
  });
  it('shows the old rows after a refresh until the new ones arrive', async () => {
    const { rows, requests } = createRows(100_000);
    rows.show(0, 10);
    await requests[0]!.respond();
    rows.refresh();
    expect(rows.row(5)).toBe(5);
    await requests[1]!.respond(1_000);
    expect(rows.row(5)).toBe(1_005);
  });
  it('loads pages again after a refresh only when they come into view', async () => {
    const { rows, requests } = createRows(100_000);
    rows.show(0, 150);
    await requests[0]!.respond();
    await requests[1]!.respond();
    rows.show(0, 10);
    rows.refresh();
    expect(requests.slice(2).map(({ offset }) => offset)).toEqual([0]);
    rows.show(0, 150);
    expect(requests.slice(2).map(({ offset }) => offset)).toEqual([0, 100]);
  });
  it('ignores a response from before a refresh', async () => {
    const { rows, requests } = createRows(10);
    rows.show(0, 9);
    rows.refresh();
    await requests[1]!.respond(1_000);
    await requests[0]!.respond();
    expect(rows.row(0)).toBe(1_000);
  });
});
