export { type Client, type ClientOptions, createClient } from './client.ts';
export type { NetworkOptions } from './connection.ts';
