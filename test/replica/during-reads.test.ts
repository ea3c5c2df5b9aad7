import { testDuringReads } from './during-reads.ts';

testDuringReads('unpublished and published', (id) => ({
  hide: ({ contents }) => contents.unpublish(id),
  show: ({ contents }) => contents.publish(id),
}));
