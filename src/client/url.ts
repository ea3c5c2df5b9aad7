type QueryValue = string | number | boolean | readonly string[] | undefined;
export type Query = { readonly [parameter: string]: QueryValue };

/**
 * The one URL of a query: parameters sorted, lists joined by commas, absent ones left out. The CDN
 * answers only what it has seen letter for letter (§8), so equal queries must give equal URLs.
 */
export function canonicalUrl(baseUrl: string, path: string, query: Query): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)] as [string, string],
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const search = new URLSearchParams(pairs).toString();
  return `${baseUrl.replace(/\/+$/, '')}${path}${search && `?${search}`}`;
}
