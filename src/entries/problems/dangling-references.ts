import type { WireContent } from '../../contract/content.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { visitReferences } from '../../models/walk.ts';
import { pluralize } from '../../shared/format-count.ts';
import type { ContentWarning } from './content-warning.ts';
import { describeItem } from './describe-item.ts';

/** A reference to content that is not of a declared model. */
export interface DanglingReference {
  /** Content ID of the item that has it. */
  readonly item: number;
  /** `article.related[].article` */
  readonly field: string;
  /** The models that the field declares; absent if it accepts any. */
  readonly targets?: readonly string[];
  /** `article 11 "Harbour" refers to content 1` */
  readonly example: string;
}

/**
 * The references of an item that lead to nothing known. The service returns references to archived or deleted content as
 * empty, so their targets are of undeclared models, in another sub-space, or not visible to the key.
 */
export function findDanglingReferences(
  models: ModelMap,
  item: WireContent,
  isUndeclared: (id: number) => boolean,
): DanglingReference[] {
  const found: DanglingReference[] = [];
  visitReferences(fieldsOf(models, item._model), item, ({ field, value, path }) => {
    if (typeof value !== 'number' || !isUndeclared(value)) return;
    const targets = targetsOf(field);
    found.push({
      item: item._id,
      field: `${item._model}.${path.replaceAll(/\[\d+\]/g, '[]')}`,
      ...(targets && { targets }),
      example: `${describeItem(item)} refers to content ${value}`,
    });
  });
  return found;
}

/** One warning per field. `inSubSpace`: only the content of a sub-space is read, so the targets may be in another one. */
export function danglingWarnings(found: readonly DanglingReference[], inSubSpace: boolean): ContentWarning[] {
  return [...Map.groupBy(found, ({ field }) => field)].map(([field, references]) => {
    const [{ targets, example }] = references as [DanglingReference];
    const count = references.length;
    const declared = targets?.join(' or ');
    const consequence = declared
      ? `${count === 1 ? 'is' : 'are'} empty (the field is declared as a reference to ${declared})`
      : `${count === 1 ? 'stays an id' : 'stay ids'}`;
    const subSpace = inSubSpace
      ? '. If it is content of another sub-space, leave out `space` in defineSpace(), and set `where: { _space: { eq: … } }` for the loader'
      : '';
    return {
      key: `dangling ${field}`,
      line:
        `${field}: ${pluralize(count, 'reference points', 'references point')} to content of an undeclared model${inSubSpace ? ' or another sub-space' : ''} and ${consequence}. ` +
        `Example: ${example}. Declare its model in \`models\`${declared ? ' and add it to the reference' : ''}, or run \`npx luid check\`${subSpace}`,
    };
  });
}
