import { useMemo, useState } from 'preact/hooks';
import { useStudio } from '../studio.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { RequestRow } from './request-row.tsx';
import { type LogFilter, matchesFilter } from './request-text.ts';
import { useLog } from './use-log.ts';
import { useReading } from './use-reading.ts';

const STEP = 200;
const NO_FILTER: LogFilter = { text: '', errors: false, counted: false };
const COLUMNS = ['Time', 'Method', 'Path and query', 'Status', 'CDN', 'Size', 'Duration', 'Key'];
const NUMBERS = ['Size', 'Duration'];

/** The requests to the API and the assets, newest first. */
export function RequestLog() {
  const { space } = useStudio();
  const { ref, isReading } = useReading<HTMLDivElement>();
  const log = useLog(isReading);
  const [filter, setFilter] = useState(NO_FILTER);
  const [limit, setLimit] = useState(STEP);
  const matching = useMemo(
    () => log.requests.filter((request) => matchesFilter(request, space.keys, filter)),
    [log.requests, space.keys, filter],
  );
  const showNewest = () => {
    ref.current?.scrollIntoView({ block: 'center' });
    log.pause(false);
  };
  return (
    <section class="log" aria-labelledby="log-title">
      <div class="log-head">
        <h1 id="log-title">Requests</h1>
        <LogFilterControls filter={filter} onChange={setFilter} />
        <div class="row">
          <button type="button" aria-pressed={log.isPaused} onClick={() => log.pause(!log.isPaused)}>
            {log.isPaused ? 'Continue' : 'Pause'}
          </button>
          <button type="button" disabled={log.requests.length === 0} onClick={log.clear}>
            Clear
          </button>
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section class="log-scroll" tabIndex={0} aria-label="Log of requests">
        <div ref={ref} class="log-top" />
        {log.waiting > 0 && (
          <div class="log-waiting">
            <button type="button" class="primary" onClick={showNewest}>
              {log.waiting === 1 ? 'Show 1 new request' : `Show ${log.waiting} new requests`}
            </button>
          </div>
        )}
        <table>
          <thead>
            <tr>
              {COLUMNS.map((name) => (
                <th key={name} scope="col" class={NUMBERS.includes(name) ? 'log-number' : undefined}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {matching.slice(0, limit).map((request) => (
              <RequestRow key={request.number} request={request} keys={space.keys} />
            ))}
          </tbody>
        </table>
        {matching.length === 0 && <NoRequests isFiltered={log.requests.length > 0} />}
        {matching.length > limit && (
          <p class="log-more">
            <button type="button" onClick={() => setLimit(limit + STEP)}>
              Show more ({matching.length - limit})
            </button>
          </p>
        )}
      </section>
      <p class="log-count muted" role="status">
        {countText(matching.length, log.requests.length)}
        {log.isPaused && ', paused'}
      </p>
    </section>
  );
}

function countText(matching: number, all: number): string {
  const noun = all === 1 ? 'request' : 'requests';
  return matching === all ? `${all} ${noun}` : `${matching} of ${all} ${noun}`;
}

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyState title="No request matches the filter" />;
  return (
    <EmptyState title="No requests yet">
      <p>Build your site or open a page of it: every request to the API and to media appears here.</p>
    </EmptyState>
  );
}

interface FilterProps {
  readonly filter: LogFilter;
  readonly onChange: (filter: LogFilter) => void;
}

function LogFilterControls({ filter, onChange }: FilterProps) {
  const check = (name: 'errors' | 'counted', label: string) => (
    <label class="log-check">
      <input
        type="checkbox"
        checked={filter[name]}
        onChange={({ currentTarget }) => onChange({ ...filter, [name]: currentTarget.checked })}
      />
      {label}
    </label>
  );
  return (
    <div class="log-filter">
      <input
        type="search"
        aria-label="Filter requests"
        placeholder="Filter"
        value={filter.text}
        onInput={({ currentTarget }) => onChange({ ...filter, text: currentTarget.value })}
      />
      {check('errors', 'Only errors')}
      {check('counted', 'Only counted')}
    </div>
  );
}
