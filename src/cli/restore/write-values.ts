import type { FieldBase, Values } from '../../models/field-types/field-type.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { State } from '../backup/backup-item.ts';
import { absoluteUrl } from '../backup/comparable.ts';
import { mapItemValues } from '../backup/item-values.ts';
import { fromPortable } from '../backup/media-index.ts';
import type { Side } from '../backup/side.ts';
import { cliFieldTypeOf } from '../field-types/index.ts';

/** Something of an item that is not restored, and why. */
export interface Note {
  readonly id: number;
  readonly lang: string;
  readonly state: State;
  readonly path: string;
  readonly reason: string;
}

/** Where the links of an export lead in the target. */
export interface TargetLinks {
  /** The id of an item; `later` if it is still to be created, `undefined` if it never is. */
  item(id: number): number | 'later' | undefined;
  /** The id of a media; `undefined` if the export has no file of it. */
  media(id: number): number | undefined;
  /** Whether images in flexible text are at the same URLs. */
  readonly isSource: boolean;
}

export function isWritable(field: Pick<FieldBase, 'type'>): boolean {
  return cliFieldTypeOf(field).isWritable !== false;
}

/** Values as a write sends them (§4.10). What cannot be written is left out, and reported. */
export function writeValues(
  side: Side,
  model: string,
  values: Values,
  links: TargetLinks,
  report: (path: string, reason: string) => void,
): { readonly values: Values; readonly isComplete: boolean } {
  let isComplete = true;
  const written = mapItemValues(fieldsOf(side.models, model), values, {
    reference(id, path) {
      const target = links.item(id);
      if (target === undefined) report(path, `content ${id} is neither in the export nor in the space`);
      if (target !== 'later') return target;
      isComplete = false;
      return undefined;
    },
    media(id, path) {
      const target = links.media(id as number);
      if (target === undefined) report(path, `the export has no file of media ${id}`);
      return target;
    },
    richText: (html, path) =>
      fromPortable(html, side.media, (media) => {
        if (!links.isSource) report(path, 'an image stays at its URL in the other space');
        return absoluteUrl(side, media);
      }),
    other(value, field, path) {
      if (isWritable(field)) return value;
      report(path, `the service cannot write ${field.type}`);
      return undefined;
    },
    undeclared: (path) => report(path, 'the models of the export do not declare it'),
  });
  return { values: written, isComplete };
}
