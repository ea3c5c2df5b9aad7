import type { ActiveFault } from '../../studio-types.ts';
import { post } from '../api.ts';
import { useStudio } from '../studio.ts';
import { notify } from '../ui/notices.tsx';
import { FAULTS } from './fault-kinds.ts';

/** The faults that are on. */
export function ActiveFaults() {
  const faults = useStudio().activity?.faults ?? [];
  const send = (path: string) => {
    post(path).catch((error: Error) => notify(error.message, 'failed'));
  };
  return (
    <section class="active-faults card" aria-labelledby="active-faults-title">
      <div class="active-faults-head">
        <h2 id="active-faults-title">Active faults</h2>
        {faults.length > 0 && (
          <button type="button" class="danger" onClick={() => send('faults/all/remove')}>
            Turn all off
          </button>
        )}
      </div>
      <div role="status">
        {faults.length === 0 && <p class="muted">None. The emulator behaves like the service.</p>}
        <ul>
          {faults.map((fault) => (
            <li key={fault.id}>
              <div>
                <strong>{describeFault(fault)}</strong>
                <span class="muted">{describeLeft(fault)}</span>
              </div>
              <button
                type="button"
                aria-label={`Turn off: ${describeFault(fault)}`}
                onClick={() => send(`faults/${fault.id}/remove`)}
              >
                Turn off
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function describeFault({ kind, amount }: ActiveFault): string {
  const info = FAULTS.find((fault) => fault.kind === kind);
  const unit = info?.amount?.unit;
  return (info?.title ?? kind) + (unit && amount !== undefined ? `, ${amount} ${unit}` : '');
}

function describeLeft({ left }: ActiveFault): string {
  if (left === undefined) return 'until turned off';
  return left === 1 ? '1 request left' : `${left} requests left`;
}
