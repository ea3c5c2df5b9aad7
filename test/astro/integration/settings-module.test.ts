import { expect, test } from 'vitest';
import { settingsModule } from '../../../src/astro/integration/settings-module.ts';

const ID = '\0virtual:astro-luid/name';

test('settings that change while a dev server runs are loaded again, where they are used', () => {
  const settings = { routes: ['/a'] };
  const module = settingsModule('name', settings);
  const done: string[] = [];
  const environment = (name: string, isUsed: boolean) => ({
    moduleGraph: {
      getModuleById: (id: string) => (isUsed && id === ID ? { name } : undefined),
      invalidateModule: (invalidated: { name: string }) => void done.push(`invalidated ${invalidated.name}`),
    },
    hot: { send: (event: string) => void done.push(`${name}: ${event}`) },
  });
  module.configureServer({
    environments: { ssr: environment('ssr', true), client: environment('client', false) },
  });
  settings.routes.push('/b');
  module.invalidate();
  expect(done).toEqual(['invalidated ssr', 'ssr: astro:middleware-updated']);
  expect(module.load(ID)).toBe('export default {"routes":["/a","/b"]};');
});

test('settings that change before a server runs need nothing', () => {
  settingsModule('name', {}).invalidate();
});
