/**
 * A model whose names are also names of JavaScript's, of promises, of Astro's, or of a system property.
 * It is JSON, as seeds are, because an object literal could not say it.
 */
export const oddModel = JSON.parse(`{
  "label": { "type": "text", "title": true },
  "__proto__": { "type": "text" },
  "constructor": { "type": "text" },
  "then": { "type": "text" },
  "collection": { "type": "text" },
  "tostring": {
    "type": "field_set",
    "fields": { "__proto__": { "type": "text" }, "constructor": { "type": "text" } }
  },
  "_id": { "type": "multi_select" }
}`);

const times = {
  created_at: '2025-11-01T00:00:00Z',
  updated_at: '2025-11-02T00:00:00Z',
  published_at: '2025-11-03T00:00:00Z',
  last_published_at: '2025-11-04T00:00:00Z',
};

/** Two items of the model `constructor`: one with every field, one with only a label. */
export const oddContents = [
  {
    id: 501,
    model: 'constructor',
    ...times,
    published: {
      ja: JSON.parse(`{
        "label": "odd names",
        "__proto__": "proto",
        "constructor": "built",
        "then": "later",
        "collection": "stamps",
        "tostring": { "__proto__": "inner proto", "constructor": "inner built" },
        "_id": ["not", "an", "id"]
      }`),
    },
  },
  { id: 502, model: 'constructor', ...times, published: { ja: { label: 'nothing else' } } },
];
