import { ActiveFaults } from './active-faults.tsx';
import { FaultCard } from './fault-card.tsx';
import { FAULTS } from './fault-kinds.ts';
import { RateGauge } from './rate-gauge.tsx';
import { RequestLog } from './request-log.tsx';

/** The requests as they come, the rate limit, and faults to turn on. */
export function TrafficView() {
  return (
    <div class="traffic">
      <RequestLog />
      <aside class="traffic-side" aria-label="Limits and faults">
        <RateGauge />
        <ActiveFaults />
        <details class="faults card" open={matchMedia('(width >= 64rem)').matches}>
          <summary>
            <h2>Turn on a fault</h2>
          </summary>
          {FAULTS.map((fault) => (
            <FaultCard key={fault.kind} fault={fault} />
          ))}
        </details>
      </aside>
    </div>
  );
}
