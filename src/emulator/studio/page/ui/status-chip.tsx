import type { ItemStatus } from '../../studio-types.ts';

export const STATUS_LABELS: { readonly [status in ItemStatus]: string } = {
  draft: 'Draft',
  published: 'Published',
  published_draft: 'Published, with draft',
  archived: 'Archived',
};

export function StatusChip({ status }: { status: ItemStatus }) {
  return <span class={`chip status-${status}`}>{STATUS_LABELS[status]}</span>;
}
