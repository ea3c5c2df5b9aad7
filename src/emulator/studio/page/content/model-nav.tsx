import type { ItemStatus, StudioModel } from '../../studio-types.ts';
import { href, navigate } from '../route.ts';
import { useStudio } from '../studio.ts';
import { type ListFilter, STATUSES } from './list-query.ts';

const SHORT_LABELS: { readonly [status in ItemStatus]: string } = {
  published: 'published',
  published_draft: 'with draft',
  draft: 'draft',
  archived: 'archived',
};

type Counts = StudioModel['counts'];

/** The counts of several models together. */
export function sumCounts(models: readonly StudioModel[]): Counts {
  const sum = { draft: 0, published: 0, published_draft: 0, archived: 0 };
  for (const { counts } of models) for (const status of STATUSES) sum[status] += counts[status];
  return sum;
}

function totalOf(counts: Counts): number {
  return STATUSES.reduce((total, status) => total + counts[status], 0);
}

/** All models with their counts: a list beside the content, or a select where there is no space for it. */
export function ModelNav({ filter }: { filter: ListFilter }) {
  const { models } = useStudio().space;
  // Another model has other content: a search and filters would hide it.
  const hrefOf = (model: string) => href(model ? ['model', model] : []);
  const entries = [{ luid: '', counts: sumCounts(models) }, ...models];
  return (
    <>
      <nav class="model-nav" aria-label="Models">
        <ul>
          {entries.map(({ luid, counts }) => (
            <li key={luid}>
              <a href={hrefOf(luid)} aria-current={filter.model === luid ? 'page' : undefined}>
                <span class="model-name">{luid || 'All content'}</span>
                <span class="model-total">{totalOf(counts).toLocaleString()}</span>
                <span class="model-counts">{countsText(counts)}</span>
              </a>
              {luid && (
                <a class="model-new" href={href(['new', luid])} aria-label={`New ${luid}`}>
                  +
                </a>
              )}
            </li>
          ))}
        </ul>
      </nav>
      <label class="model-select">
        <span>Model</span>
        <select value={filter.model} onChange={({ currentTarget }) => navigate(hrefOf(currentTarget.value))}>
          {entries.map(({ luid, counts }) => (
            <option key={luid} value={luid}>
              {luid || 'All content'} ({totalOf(counts).toLocaleString()})
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function countsText(counts: Counts): string {
  const given = STATUSES.filter((status) => counts[status] > 0);
  return (
    given.map((status) => `${counts[status].toLocaleString()} ${SHORT_LABELS[status]}`).join(' · ') || 'empty'
  );
}
