import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Entered, instantOf, joinInstant, splitInstant, UNREADABLE, zoneOf } from '../model/instants.ts';
import { ControlGroup } from './control-group.tsx';
import { type ControlProps, useForm } from './form-context.ts';
import { asText } from './text-controls.tsx';

const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const inLocalZone = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** Date, time and zone. The zone is part of what is entered: another zone is another time. */
export function DatetimeControl({ field, value, path, onChange }: ControlProps) {
  const { problems } = useForm();
  const [zone, setZone] = useState(() => defaultZone(value));
  const entered = splitInstant(value, zone);
  const isInvalid = problems.has(path) ? ('true' as const) : undefined;
  const enter = (change: Partial<Entered>) => {
    const next = { ...entered, ...change };
    setZone(next.zone);
    onChange(joinInstant(change.date && !next.time ? { ...next, time: '00:00:00' } : next));
  };
  // What the browser cannot read as a date or time has an empty value, but is not empty.
  const read = (input: HTMLInputElement) => (input.validity.badInput ? UNREADABLE : input.value);
  const dateInput = useRef<HTMLInputElement>(null);
  const timeInput = useRef<HTMLInputElement>(null);
  const isEmpty = asText(value) === '';
  useLayoutEffect(() => {
    if (!isEmpty) return;
    // The value of a half-entered date is empty already, so that rendering does not remove it.
    for (const { current: input } of [dateInput, timeInput]) if (input) input.value = '';
  }, [isEmpty]);
  const zones = [...new Set(['UTC', 'local', zone])].filter(
    (name) => name !== 'local' || LOCAL_ZONE !== 'UTC',
  );
  return (
    <ControlGroup path={path} class="datetime">
      <input
        ref={dateInput}
        type="date"
        aria-label={`${field.luid}: date`}
        aria-invalid={isInvalid}
        max="9999-12-31"
        value={entered.date === UNREADABLE ? '' : entered.date}
        onInput={({ currentTarget }) => enter({ date: read(currentTarget) })}
        onBlur={({ currentTarget }) => currentTarget.validity.badInput && enter({ date: UNREADABLE })}
      />
      <input
        ref={timeInput}
        type="time"
        aria-label={`${field.luid}: time`}
        aria-invalid={isInvalid}
        step={entered.time.includes('.') ? '0.001' : '1'}
        value={entered.time === UNREADABLE ? '' : entered.time}
        onInput={({ currentTarget }) => enter({ time: read(currentTarget) })}
        onBlur={({ currentTarget }) => currentTarget.validity.badInput && enter({ time: UNREADABLE })}
      />
      <select
        aria-label={`${field.luid}: time zone`}
        value={zone}
        onChange={({ currentTarget }) => enter({ zone: currentTarget.value })}
      >
        {zones.map((name) => (
          <option key={name} value={name}>
            {name === 'local' ? LOCAL_ZONE : name}
          </option>
        ))}
      </select>
      {!isEmpty && (
        <button type="button" class="link" onClick={() => onChange(null)}>
          Clear
        </button>
      )}
      <InBothZones value={value} />
    </ControlGroup>
  );
}

function defaultZone(value: unknown): string {
  const zone = zoneOf(value);
  return zone === 'local' && LOCAL_ZONE === 'UTC' ? 'UTC' : zone;
}

function InBothZones({ value }: { value: unknown }) {
  const instant = instantOf(value);
  if (instant === undefined) return null;
  const utc = new Date(instant).toISOString().replace('.000Z', 'Z');
  return (
    <p class="datetime-hint">
      <code>{utc}</code>
      {LOCAL_ZONE !== 'UTC' && <span> {inLocalZone.format(instant)}</span>}
    </p>
  );
}
