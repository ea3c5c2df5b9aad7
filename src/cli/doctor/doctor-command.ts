import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Connect } from '../../client/http/connection.ts';
import { LuidConfigError, messageWithoutHint } from '../../shared/errors.ts';
import { printableJson } from '../../shared/printable.ts';
import type { SpaceCore } from '../../space/space.ts';
import { findSpaceFile } from '../../space/space-file.ts';
import { connectWith } from '../../space/space-options.ts';
import { defineCommand, type Values } from '../shared/command.ts';
import { exitOnSignals } from '../shared/exit-on-signals.ts';
import { loadEnvironment, loadSpace, SPACE_OPTIONS } from '../shared/load-space.ts';
import { text } from '../shared/option-kinds.ts';
import { logInfo, styled } from '../shared/output.ts';
import { createReport, printReport } from './doctor-report.ts';
import { examine } from './examine.ts';

const OPTIONS = {
  ...SPACE_OPTIONS,
  report: text('FILE', 'where to write the report (default: luid-doctor.json)', 'a file'),
};
type DoctorOptions = Values<typeof OPTIONS>;

const ABOUT = `compare the service with what this package assumes about it

Reads with LUID_API_KEY, and with LUID_DRAFT_API_KEY if there is one, and writes nothing to the service. Each assumption is as
assumed, differs, or cannot be seen; a difference comes with its effect on builds, and with the option or the switch of the
emulator that matches.`;

const NOTES = `Without src/space.ts it uses LUID_BASE_URL and the keys in .env. The report file contains no content, keys, titles, LUIDs
or URLs, so it can be attached to an issue. It takes about 50 requests.

Exit code 1 if something differs or the service cannot be read, else 0.

  luid doctor
  luid doctor --report service.json`;

export const doctorCommand = defineCommand(
  { name: 'doctor', about: ABOUT, options: OPTIONS, notes: NOTES },
  async (options) => {
    const removeSignalHandlers = exitOnSignals(async () => {});
    try {
      const { space, dir } = await findSpace(options);
      const diagnosis = await examine(
        {
          api: space.connect(),
          drafts: await connectToDrafts(space),
          languages: space.settings.languages?.sub,
        },
        (step) => logInfo(styled('dim', `… ${step}`)),
      );
      const report = createReport(diagnosis);
      printReport(report);
      const path = options.report ?? 'luid-doctor.json';
      writeFileSync(resolve(dir, path), `${printableJson(JSON.stringify(report, null, 2))}\n`);
      logInfo(`Report, without content or keys: ${path}`);
      return report.ok ? 0 : 1;
    } finally {
      removeSignalHandlers();
    }
  },
);

type Connectable = Pick<SpaceCore, 'connect' | 'settings'>;

/** The space of the project; before there is one, what the environment has of it. */
async function findSpace(options: DoctorOptions): Promise<{ space: Connectable; dir: string }> {
  const dir = resolve(options.dir ?? '.');
  if (options.space !== undefined || findSpaceFile(join(dir, 'src'))) return loadSpace(options);
  await loadEnvironment(dir);
  return { dir, space: { settings: {}, connect: (key) => connectWith({}, {}, key) } };
}

/** `undefined` without a key for drafts. */
async function connectToDrafts(space: Connectable): Promise<Connect | undefined> {
  const connect = space.connect({ drafts: true });
  try {
    await connect();
    return connect;
  } catch (error) {
    if (!LuidConfigError.is(error)) throw error;
    logInfo(styled('dim', `… without a key for drafts: ${messageWithoutHint(error)}`));
    return undefined;
  }
}
