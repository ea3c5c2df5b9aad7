import type { Field } from '../../models/field-types/index.ts';
import type { AlterValue } from '../audit-build/alter-value.ts';
import type { InferenceRule } from '../infer/inference-rule.ts';
import type { Shape } from '../infer/shapes.ts';

/** What the commands need to know about a field type, besides what `models/field-types` declares. */
export interface CliFieldType {
  /** The name of its builder: `multiSelect` for `field.multiSelect(…)`. */
  readonly builder: string;
  /** The first argument of the builder. Default: other options of the definition. */
  readonly argument?: 'options' | 'models' | 'fields' | 'sets';
  /** The shape of its values in responses. */
  readonly shape: Shape;
  /** How it is inferred from values of that shape. */
  readonly rules: readonly InferenceRule[];
  /** Declared types that values of this type disprove, without the operators that the service accepts. */
  readonly disproves?: readonly Field['type'][];
  /** Types that its values are often inferred as, which is not a contradiction. */
  readonly inferredAs?: readonly Field['type'][];
  /** §4.10: the service accepts no value of it in writes. */
  readonly isWritable?: false;
  /** Another value, as an editor could enter it. Absent for groups, whose fields are altered one by one. */
  readonly alter?: AlterValue;
}
