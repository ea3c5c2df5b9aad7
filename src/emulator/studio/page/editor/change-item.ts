import type { ActionResult, ItemAction, ItemChange } from '../../studio-types.ts';
import { post } from '../api.ts';

/** Runs an action on an item. */
export function changeItem(id: number, action: ItemAction, change: ItemChange): Promise<ActionResult> {
  return post<ActionResult>(`contents/${id}/${action}`, change);
}
