const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** A time in the zone of the browser, which it names, with the service's own notation as its tooltip. */
export function Time({ value }: { value: string | null }) {
  if (value === null) return <span class="muted">never</span>;
  return (
    <time dateTime={value} title={value}>
      {format.format(new Date(value))}
    </time>
  );
}
