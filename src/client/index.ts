export { type Client, type ClientOptions, createClient } from './client.ts';
export type { Page, ReadContents } from './endpoints/read-api.ts';
export type { WriteContents, WriteInput, WriteMedia } from './endpoints/write-api.ts';
export type { RequestOptions } from './http/client-request.ts';
export type { Clock } from './http/clock.ts';
export type { NetworkOptions } from './http/connection.ts';
export type { GetQuery, ListQuery, Order, Where } from './query/query-types.ts';
