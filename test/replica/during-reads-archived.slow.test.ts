import { testDuringReads } from './during-reads.ts';

testDuringReads('archived and restored', (id) => ({
  hide: ({ contents }) => contents.archive(id),
  show: ({ contents }) => contents.restore(id),
}));
