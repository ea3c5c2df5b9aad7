import { useStudio } from '../studio.ts';

/** What each key may still request in the current minute. */
export function RateGauge() {
  const { activity, space } = useStudio();
  return (
    <section class="gauge card" aria-labelledby="gauge-title">
      <h2 id="gauge-title">Rate limit</h2>
      {!activity && <p class="muted">Loading …</p>}
      {activity && !activity.windows && <p class="muted">The rate limit is off.</p>}
      {activity?.windows && (
        <ul>
          {space.keys.map(({ name }, key) => {
            const window = activity.windows?.find((candidate) => candidate.key === key);
            const { limits } = activity;
            return (
              <li key={name}>
                <h3>{name}</h3>
                <Remaining what="reads" left={window?.reads ?? limits.reads} limit={limits.reads} />
                <Remaining what="writes" left={window?.writes ?? limits.writes} limit={limits.writes} />
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function Remaining({ what, left, limit }: { what: string; left: number; limit: number }) {
  return (
    <label class="gauge-line">
      <span>{what === 'reads' ? 'Reads' : 'Writes'}</span>
      <meter min={0} max={limit} low={limit * 0.2} high={limit * 0.5} optimum={limit} value={left} />
      <span class="gauge-text">
        {left} of {limit} left
      </span>
    </label>
  );
}
