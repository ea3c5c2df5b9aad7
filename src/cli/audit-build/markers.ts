import type { ModelView, SiteModel } from './site-content.ts';

/** Where a marker is: a field of an item in a language. */
export interface Marked {
  readonly model: SiteModel;
  readonly view: ModelView;
  readonly id: number;
  readonly field: string;
}

const MARKER = /luid[0-9a-z]{4,}x/gi;

/** Words that occur nowhere else, one for each field of an item in a language. */
export class Markers {
  readonly #places: Marked[] = [];
  readonly #markers = new Map<string, string>();

  /** The marker of a place, always the same. */
  of(model: SiteModel, view: ModelView, id: number, field: string): string {
    const place = JSON.stringify([view.key, id, field]);
    const known = this.#markers.get(place);
    if (known !== undefined) return known;
    const marker = `luid${this.#places.length.toString(36).padStart(4, '0')}x`;
    this.#places.push({ model, view, id, field });
    this.#markers.set(place, marker);
    return marker;
  }

  /** The places whose markers a page shows. */
  in(html: string): Marked[] {
    const found = new Set(html.match(MARKER)?.map((marker) => marker.toLowerCase()));
    return [...found].flatMap((marker) => this.#places[Number.parseInt(marker.slice(4, -1), 36)] ?? []);
  }
}
