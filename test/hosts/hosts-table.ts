import { readFileSync, writeFileSync } from 'node:fs';
import { FEATURES, type Feature, HOSTS, type HostProfile } from './features.ts';

// The tested part of docs/guides/hosts.md. `node test/hosts/hosts-table.ts` writes it.

const DOCUMENT = new URL('../../docs/guides/hosts.md', import.meta.url);
const PLACE = /(?<=<!-- hosts -->\n)[\s\S]*?(?=<!-- \/hosts -->)/;

/** What the document has between its markers. */
export function documentedHosts(): string | undefined {
  return PLACE.exec(readFileSync(DOCUMENT, 'utf8'))?.[0];
}

/** Made from what the tests declare, and assert. */
export function hostsTable(profiles: readonly HostProfile[] = Object.values(HOSTS)): string {
  const reasons: string[] = [];
  const numberOf = (reason: string) => {
    if (!reasons.includes(reason)) reasons.push(reason);
    return reasons.indexOf(reason) + 1;
  };
  const cell = (feature: Feature, { cannot }: HostProfile) => {
    const reason = cannot[feature];
    return reason === undefined ? 'yes' : `no (${numberOf(reason)})`;
  };
  const rows = (Object.keys(FEATURES) as Feature[]).map((feature) =>
    row(FEATURES[feature], ...profiles.map((profile) => cell(feature, profile))),
  );
  return `The tests of this package run one site on each of these hosts. What they run is

${profiles.map(({ name, runtime }) => `- on ${name}, ${runtime}`).join('\n')}

${row('', ...profiles.map(({ name }) => name))}
${'|---'.repeat(profiles.length + 1)}|
${rows.join('\n')}

${reasons.map((reason, index) => `${index + 1}. ${reason}`).join('\n')}
`;
}

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`.replace('|  |', '| |');

if (process.argv[1] === import.meta.filename) {
  writeFileSync(
    DOCUMENT,
    readFileSync(DOCUMENT, 'utf8').replace(PLACE, () => hostsTable()),
  );
}
