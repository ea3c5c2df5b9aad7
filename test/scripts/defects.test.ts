import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as client from '../../scripts/defects/client.mjs';
import * as live from '../../scripts/defects/live.mjs';
import * as loader from '../../scripts/defects/loader.mjs';
import * as preview from '../../scripts/defects/preview.mjs';
import * as replica from '../../scripts/defects/replica.mjs';
import * as storage from '../../scripts/defects/storage.mjs';
import * as studio from '../../scripts/defects/studio.mjs';

/** A file in src, the code that must occur in it exactly once, and its replacement. */
type Edit = [file: string, before: string, after: string];

describe.each(Object.entries({ client, live, loader, preview, replica, storage, studio }))(
  'the known defects of %s',
  (_, suite) => {
    test.each(Object.entries(suite.DEFECTS) as [string, Edit[]][])('%s: still applies', (_name, edits) => {
      const texts = new Map<string, string>();
      for (const [file, before, after] of edits) {
        const text = texts.get(file) ?? readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
        expect(text.split(before), `src/${file} contains this exactly once: ${before}`).toHaveLength(2);
        texts.set(
          file,
          text.replace(before, () => after),
        );
      }
    });
  },
);
