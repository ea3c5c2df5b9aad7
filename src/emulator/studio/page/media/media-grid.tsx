import type { MediaRow } from '../../studio-types.ts';
import { useStudio } from '../studio.ts';
import { Thumbnail } from './thumbnail.tsx';

interface MediaGridProps {
  readonly rows: readonly MediaRow[];
  readonly onOpen: (media: MediaRow) => void;
  /** The one that is chosen; absent if none can be. */
  readonly chosen?: number | null;
}

/** Media as tiles that are buttons. In a choice, archived media cannot be used. */
export function MediaGrid({ rows, onOpen, chosen }: MediaGridProps) {
  return (
    <ul class="media-grid">
      {rows.map((media) => (
        <li key={media.id}>
          <button
            type="button"
            class="media-tile"
            disabled={chosen !== undefined && media.archived}
            aria-pressed={chosen === undefined ? undefined : chosen === media.id}
            onClick={() => onOpen(media)}
          >
            <Thumbnail media={media} />
            <span class="media-name" title={media.name}>
              {media.name}
            </span>
            <MediaFacts media={media} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function MediaFacts({ media: { id, alt, isImage, archived } }: { media: MediaRow }) {
  const { main, sub } = useStudio().space.languages;
  const missing = isImage ? [main, ...sub].filter((lang) => !alt[lang]) : [];
  return (
    <span class="media-facts">
      <span>#{id}</span>
      {archived && <span class="chip">Archived</span>}
      {!archived && missing.length > 0 && <span class="media-no-alt">No alt: {missing.join(', ')}</span>}
    </span>
  );
}
