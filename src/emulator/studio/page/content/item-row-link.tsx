import type { ItemRow } from '../../studio-types.ts';
import { href } from '../route.ts';
import { useStudio } from '../studio.ts';
import { StatusChip } from '../ui/status-chip.tsx';
import { Time } from '../ui/time.tsx';

interface ItemRowLinkProps {
  /** Undefined until it is loaded. */
  readonly row: ItemRow | undefined;
  readonly index: number;
  readonly showsModel: boolean;
  /** One row of the list is reached by Tab, the others by the arrow keys. */
  readonly isActive: boolean;
}

export function ItemRowLink({ row, index, showsModel, isActive }: ItemRowLinkProps) {
  const { space } = useStudio();
  const about =
    row && [showsModel && row.model, row.id, space.spaces && row.space].filter(Boolean).join(' · ');
  return (
    // The element stays when the row is loaded, and with it the focus.
    <a
      class="item-row"
      {...(row && { href: href(['item', row.id]) })}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
    >
      {row ? (
        <>
          <span class="item-title" lang={row.languages[0]}>
            {row.title || '(no title)'}
          </span>
          <span class="item-about">
            {about}
            <span class="item-languages">{row.languages.join(', ')}</span>
          </span>
          <StatusChip status={row.status} />
          <span class="item-time">
            <Time value={row.updatedAt} />
          </span>
        </>
      ) : (
        <span class="item-title muted">Loading …</span>
      )}
    </a>
  );
}
