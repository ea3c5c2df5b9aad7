import { useId, useState } from 'preact/hooks';
import type { NewFault } from '../../studio-types.ts';
import { post } from '../api.ts';
import { notify } from '../ui/notices.tsx';
import type { FaultInfo } from './fault-kinds.ts';

/** Turns a fault on. */
export function FaultCard({ fault }: { fault: FaultInfo }) {
  const { kind, title, description, amount } = fault;
  const id = useId();
  const [value, setValue] = useState(String(amount?.initial ?? ''));
  const [isCounted, setCounted] = useState(!fault.lasts);
  const [times, setTimes] = useState('1');
  const [isBusy, setBusy] = useState(false);
  const turnOn = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const body: NewFault = {
      kind,
      times: isCounted ? Number(times) : undefined,
      amount: amount ? Number(value) : undefined,
    };
    await post('faults', body).then(
      () => notify(`${title} is on.`),
      (error: Error) => notify(error.message, 'failed'),
    );
    setBusy(false);
  };
  return (
    <form class="fault" aria-labelledby={id} onSubmit={turnOn}>
      <div class="fault-head">
        <h3 id={id}>{title}</h3>
        <button type="submit" disabled={isBusy} aria-label={`Turn on: ${title}`}>
          Turn on
        </button>
      </div>
      <p class="muted">{description}</p>
      <div class="fault-controls">
        {amount && (
          <label class="fault-amount">
            <span class="visually-hidden">{amount.label}</span>
            <input
              type="number"
              required
              min={0}
              max={amount.max}
              step={amount.step}
              value={value}
              onInput={({ currentTarget }) => setValue(currentTarget.value)}
            />
            <span class="muted">{amount.unit}</span>
          </label>
        )}
        <select
          aria-label="Duration"
          value={isCounted ? 'next' : 'always'}
          onChange={({ currentTarget }) => setCounted(currentTarget.value === 'next')}
        >
          <option value="next">for the next</option>
          <option value="always">until turned off</option>
        </select>
        {isCounted && (
          <label class="fault-times">
            <input
              type="number"
              required
              aria-label="Number of requests"
              min={1}
              max={100_000}
              value={times}
              onInput={({ currentTarget }) => setTimes(currentTarget.value)}
            />
            <span class="muted">{times === '1' ? 'request' : 'requests'}</span>
          </label>
        )}
      </div>
    </form>
  );
}
