import { testBrieflyHidden } from './briefly-hidden.ts';

testBrieflyHidden('unpublished and published', (id) => ({
  hide: ({ contents }) => contents.unpublish(id),
  show: ({ contents }) => contents.publish(id),
}));
