import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { createConnection } from '../../client/http/connection.ts';
import type { ModelMap } from '../../models/types.ts';
import { errorMessage, LuidConfigError } from '../../shared/errors.ts';
import { findSettingIn } from '../../space/environment/environment.ts';
import type { SyncedSpace } from '../../space/replica-options.ts';
import { SpaceRuntime } from '../../space/runtime.ts';
import type { Settings } from '../../space/space-options.ts';

/** The space that a `.env` file names, which has these models and languages. */
export function spaceOfEnvFile(
  file: string,
  models: ModelMap,
  languages: Settings['languages'],
): SyncedSpace {
  const env = parseFile(file);
  const settings = {
    languages,
    ...Object.fromEntries(
      (['baseUrl', 'assetsUrl', 'apiKeyHeader'] as const).map((name) => [name, findSettingIn(env, name, {})]),
    ),
  };
  const connect = (drafts: boolean) => {
    const apiKeyVariable = drafts ? 'LUID_DRAFT_API_KEY' : 'LUID_API_KEY';
    const [baseUrl, apiKey] = [findSettingIn(env, 'baseUrl', {}), env[apiKeyVariable]];
    if (!baseUrl || !apiKey) {
      throw new LuidConfigError(`${file} has no ${baseUrl ? apiKeyVariable : 'LUID_BASE_URL'}`, {
        hint: 'Add it to the file.',
      });
    }
    const { apiKeyHeader } = settings as Settings;
    return createConnection({ baseUrl, apiKey, apiKeyHeader, apiKeyVariable, readsPublished: !drafts });
  };
  return {
    models,
    settings: settings as Settings,
    connect: ({ drafts = false } = {}) => {
      let connection: ReturnType<typeof connect> | undefined;
      return async () => {
        connection ??= connect(drafts);
        return connection;
      };
    },
    runtime: new SpaceRuntime(),
  };
}

function parseFile(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new LuidConfigError(`Cannot read ${file}: ${errorMessage(error)}`, {
      hint: 'Name a folder of luid export, a .env file, or REVISION:FOLDER.',
    });
  }
}
