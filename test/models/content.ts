import type { WireContent } from '../../src/contract/content.ts';

/** A content object of a response (§2.1), with these fields. */
export function wire(model: string, fields: Record<string, unknown> = {}, id = 101): WireContent {
  return {
    _id: id,
    _model: model,
    _title: 'A title',
    _created_at: '2026-01-01T00:00:00Z',
    _updated_at: '2026-01-02T00:00:00Z',
    _published_at: null,
    _last_published_at: null,
    _status: 'draft',
    ...fields,
  };
}
