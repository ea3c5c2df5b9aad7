import type { ItemStatus } from '../../studio-types.ts';
import { href } from '../route.ts';

export const STATUSES: readonly ItemStatus[] = ['published', 'published_draft', 'draft', 'archived'];

export const ORDERS = {
  '-updated': 'Last updated',
  updated: 'First updated',
  '-created': 'Newest',
  title: 'Title',
  id: 'Id',
} as const;

export type Order = keyof typeof ORDERS;

const DEFAULT_ORDER: Order = '-updated';

/** What a list shows. An empty string does not filter. */
export interface ListFilter {
  readonly model: string;
  readonly search: string;
  readonly status: string;
  readonly lang: string;
  readonly space: string;
  readonly order: string;
}

export function readFilter(model: string | undefined, query: URLSearchParams): ListFilter {
  const order = query.get('order') ?? '';
  return {
    model: model ?? '',
    search: query.get('search') ?? '',
    status: query.get('status') ?? '',
    lang: query.get('lang') ?? '',
    space: query.get('space') ?? '',
    order: Object.hasOwn(ORDERS, order) ? order : DEFAULT_ORDER,
  };
}

/** The route of a list. */
export function listHref({ model, order, ...query }: ListFilter): string {
  return href(model ? ['model', model] : [], { ...query, order: order === DEFAULT_ORDER ? '' : order });
}

/** Whether anything but the model and the order is chosen. */
export function isFiltered({ search, status, lang, space }: ListFilter): boolean {
  return [search, status, lang, space].some((value) => value !== '');
}

export function withoutFilters(filter: ListFilter): ListFilter {
  return { ...filter, search: '', status: '', lang: '', space: '' };
}
