export { type Client, type ClientOptions, createClient } from './client.ts';
export type { Clock } from './clock.ts';
export type { NetworkOptions } from './connection.ts';
export type { GetQuery, ListQuery, Order, Where } from './query-types.ts';
export type { Page, ReadContents } from './reading.ts';
export type { RequestOptions } from './request.ts';
export type { WriteContents, WriteInput, WriteMedia } from './writing.ts';
