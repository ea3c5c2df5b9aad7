import type { LoaderContext } from 'astro/loaders';
import type { Entry } from '../../entries/collection.ts';
import type { DanglingReference } from '../../entries/problems/dangling-references.ts';
import { type Content, replicasOf } from '../../replica/content/content.ts';
import {
  type MemberList,
  restoreMembers,
  type StoredMembers,
  storedMembers,
} from '../collection/view/member-list.ts';
import type { BuildCollection } from './build-collection.ts';

// What Astro's store contains of a load beside its entries. Astro clears both together.

/** Equal as long as a load would store the same entries. */
export interface LoadState {
  /** The fingerprint of the collection. */
  readonly collection: string;
  /** The fingerprints of the replicas. */
  readonly content: readonly string[];
  /** Of all ids, if an `id` function takes part: only its results show what it does. */
  readonly ids?: string;
}

export function loadStateOf(
  { fingerprint, context }: BuildCollection,
  content: Content,
  entries: readonly Entry[] | undefined,
): LoadState {
  const replicas = replicasOf(content).map((replica) => replica.fingerprint);
  const state = { collection: fingerprint, content: replicas };
  return entries ? { ...state, ids: context.generateDigest(allIds(entries)) } : state;
}

/** Every id in the entries: their own, and those of neighbours and references. */
function allIds(entries: readonly Entry[]): string {
  return JSON.stringify(entries.map(({ id, item, computed }) => [id, item._id, computed]));
}

type Meta = Pick<LoaderContext['meta'], 'get' | 'set'>;

const STATE = 'astro-luid:state';
const MEMBERS = 'astro-luid:members';
const ADVICE = 'astro-luid:advice';

/** The load that filled the store. */
export interface PreviousLoad {
  /** `undefined` if there was none, or if the next load has to make all entries again. */
  readonly state: LoadState | undefined;
  /** `undefined` if the next load has to make all entries again. */
  readMembers(): MemberList | undefined;
}

export function readPreviousLoad(meta: Meta): PreviousLoad {
  const read = <T>(key: string) => JSON.parse(meta.get(key) || 'null') as T | null;
  return {
    state: read<LoadState>(STATE) ?? undefined,
    readMembers() {
      const stored = read<StoredMembers>(MEMBERS);
      return stored ? restoreMembers(stored) : undefined;
    },
  };
}

export function isUnchanged({ state }: PreviousLoad, current: LoadState): boolean {
  return JSON.stringify(state) === JSON.stringify(current);
}

/** Without a state, or without members, the next load makes all entries again. */
export function storeLoad(meta: Meta, state: LoadState | undefined, members: MemberList | undefined): void {
  meta.set(STATE, state ? JSON.stringify(state) : '');
  meta.set(MEMBERS, state && members ? JSON.stringify(storedMembers(members)) : '');
}

/**
 * What a site's owner should know about the content of a collection. It is found in what was made, and stored: a load that
 * makes some entries again replaces what is known of these, and one that changes nothing warns again.
 */
export interface Advice {
  readonly drafts: readonly Draft[];
  readonly dangling: readonly DanglingReference[];
  /** By model: the fields that its items have and it does not declare. */
  readonly undeclared: Readonly<Record<string, readonly string[]>>;
  /** By model: the fields that it declares and none of its items has. */
  readonly missing: Readonly<Record<string, readonly string[]>>;
  /** About entries that are not made. */
  readonly skipped: readonly string[];
}

/** An item that is not published. */
export interface Draft {
  /** Content ID. */
  readonly item: number;
  readonly name: string;
}

/** That of the load that filled the store; `undefined` if there was none. */
export function readAdvice(meta: Meta): Advice | undefined {
  return JSON.parse(meta.get(ADVICE) || 'null') ?? undefined;
}

export function storeAdvice(meta: Meta, advice: Advice): void {
  meta.set(ADVICE, JSON.stringify(advice));
}
