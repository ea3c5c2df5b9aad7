import { useEffect, useState } from 'preact/hooks';
import type { MediaRow } from '../../studio-types.ts';
import { notify } from '../ui/notices.tsx';
import { MediaBrowser } from './media-browser.tsx';
import { MediaDetails } from './media-details.tsx';
import { useMedia } from './use-media.ts';

/** The media of the space. */
export function MediaLibrary() {
  const [opened, setOpened] = useState<MediaRow>();
  return (
    <div class="media-library">
      <MediaBrowser
        heading={<h1>Media</h1>}
        multiple
        onOpen={setOpened}
        onUploaded={({ name }) => notify(`${name} is uploaded.`)}
      />
      {opened && <CurrentDetails key={opened.id} opened={opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}

interface CurrentDetailsProps {
  readonly opened: MediaRow;
  readonly onClose: () => void;
}

/** The details as they are now: they can change elsewhere. */
function CurrentDetails({ opened, onClose }: CurrentDetailsProps) {
  const [media, setMedia] = useState(opened);
  const loaded = useMedia(opened.id, []);
  useEffect(() => {
    if (loaded) setMedia(loaded);
  }, [loaded]);
  return <MediaDetails media={media} onChange={setMedia} onClose={onClose} />;
}
