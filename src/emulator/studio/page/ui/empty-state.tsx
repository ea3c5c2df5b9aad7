import type { ComponentChildren } from 'preact';

interface EmptyStateProps {
  readonly title: string;
  /** It is all that the view shows, so its title is that of the view. */
  readonly isView?: boolean;
  readonly children?: ComponentChildren;
}

/** Shown instead of a list or a view without content: why, and what to do. */
export function EmptyState({ title, isView = false, children }: EmptyStateProps) {
  const Heading = isView ? 'h1' : 'h2';
  return (
    <div class="empty-state">
      <Heading>{title}</Heading>
      {children}
    </div>
  );
}
