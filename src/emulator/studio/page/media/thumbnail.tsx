import { useState } from 'preact/hooks';
import type { MediaRow } from '../../studio-types.ts';
import { useStudio } from '../studio.ts';
import { previewUrl } from './preview-url.ts';

interface ThumbnailProps {
  readonly media: MediaRow;
  readonly width?: number;
}

/** A small version of an image; of other files and of archived ones a tile with its kind. Decorative. */
export function Thumbnail({ media, width = 320 }: ThumbnailProps) {
  return <Source key={media.url} media={media} width={width} />;
}

function Source({ media: { name, url, isImage, archived }, width }: Required<ThumbnailProps>) {
  const { assetsUrl } = useStudio().space;
  const preview = url && isImage ? previewUrl(url, assetsUrl) : undefined;
  // Not every image can be converted, so the original is next.
  const sources = preview ? [`${preview}?width=${width}&format=webp`, preview] : [];
  const [failed, setFailed] = useState(0);
  const source = sources[failed];
  if (source !== undefined) {
    return <img class="thumbnail" src={source} alt="" loading="lazy" onError={() => setFailed(failed + 1)} />;
  }
  const extension = /\.(\w{1,8})$/.exec(name)?.[1] ?? 'file';
  return <span class="thumbnail thumbnail-file">{archived ? 'Archived' : extension.toUpperCase()}</span>;
}
