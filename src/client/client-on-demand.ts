import type { ModelMap } from '../models/types.ts';
import type { Client } from './client.ts';
import type { Connect } from './http/connection.ts';

type Method = (...args: unknown[]) => unknown;
type Methods<T> = Record<keyof T, Method>;

/** A client that is imported by its first request: a build imports the space, and hardly ever needs its client. */
export function clientOnDemand<M extends ModelMap>(
  connect: Connect,
  models: M,
  space: string | undefined,
): Client<M> {
  let opening: Promise<Client<M>> | undefined;
  const open = () => {
    opening ??= import('./client.ts').then(({ createConnectedClient }) =>
      createConnectedClient(connect, models, space),
    );
    return opening;
  };
  const content =
    (name: Exclude<keyof Client<M>['contents'], 'iterate'>): Method =>
    async (...args) =>
      ((await open()).contents[name] as Method)(...args);
  const media =
    (name: keyof Client<M>['media']): Method =>
    async (...args) =>
      ((await open()).media[name] as Method)(...args);

  const contents: Methods<Client<M>['contents']> = {
    list: content('list'),
    async *iterate(...args) {
      const { contents } = await open();
      yield* (contents.iterate as (...args: unknown[]) => AsyncGenerator)(...args);
    },
    all: content('all'),
    count: content('count'),
    get: content('get'),
    create: content('create'),
    replace: content('replace'),
    patch: content('patch'),
    duplicate: content('duplicate'),
  };
  const files: Methods<Client<M>['media']> = { upload: media('upload'), delete: media('delete') };
  return { contents, media: files } as unknown as Client<M>;
}
