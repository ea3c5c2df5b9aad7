/** A CPU profile as V8 writes it. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[] | undefined;
  }[];
  readonly samples?: readonly number[] | undefined;
  readonly timeDeltas?: readonly number[] | undefined;
  /** Microseconds, as in `process.hrtime`. */
  readonly startTime: number;
}

/** Areas by function or file. A sample belongs to the area of the innermost function of its call stack that has one. */
export type Area = readonly [area: string, matches: (functionName: string, url: string) => boolean];

export const byFile =
  (file: RegExp): Area[1] =>
  (_, url) =>
    file.test(url);
export const byFunction =
  (name: RegExp): Area[1] =>
  (functionName) =>
    name.test(functionName);

export const WAITING: Area = ['waiting for the service', byFunction(/^\(idle\)$/)];
export const GARBAGE: Area = ['garbage collection', byFunction(/^\(garbage collector\)$/)];

/** Milliseconds by area, the largest first; with `from` and `to`, of the samples between these times. */
export function sumByArea(
  { nodes, samples = [], timeDeltas = [], startTime }: CpuProfile,
  areas: readonly Area[],
  { from = startTime, to = Number.POSITIVE_INFINITY }: { readonly from?: number; readonly to?: number } = {},
): [area: string, ms: number][] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const findArea = (id: number): string => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { functionName, url } = byId.get(at)?.callFrame ?? { functionName: '', url: '' };
      const area = areas.find(([, matches]) => matches(functionName, url));
      if (area) return area[0];
    }
    return 'Node.js';
  };
  const sums = new Map<string, number>();
  let now = startTime;
  for (const [index, id] of samples.entries()) {
    now += timeDeltas[index] ?? 0;
    if (now < from || now > to) continue;
    const area = findArea(id);
    sums.set(area, (sums.get(area) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  }
  return [...sums].sort(([, a], [, b]) => b - a);
}
