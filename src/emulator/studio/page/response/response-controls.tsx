import { LIMITS } from '../../../../contract/limits.ts';
import { INCLUDES, TEXT_FORMATS, type TextFormat } from '../../../../contract/parameters.ts';
import { useStudio } from '../studio.ts';
import { Check, Labelled, NumberInput, TextInput } from './inputs.tsx';
import type { ReadForm } from './read-form.ts';

interface ControlsProps {
  readonly form: ReadForm;
  readonly change: (part: Partial<ReadForm>) => void;
  /** The flexible texts of the model. */
  readonly formatPaths: readonly string[];
}

const DEPTHS = Array.from({ length: LIMITS.maxDepth + 1 }, (_, depth) => depth);

/** The parameters of the request. */
export function ResponseControls({ form, change, formatPaths }: ControlsProps) {
  const { keys, languages } = useStudio().space;
  return (
    <div class="response-controls">
      <Labelled label="Key">
        <select
          value={form.key}
          onChange={({ currentTarget }) => change({ key: Number(currentTarget.value) })}
        >
          {keys.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label="Depth">
        <select
          value={form.depth}
          onChange={({ currentTarget }) => change({ depth: Number(currentTarget.value) })}
        >
          {DEPTHS.map((depth) => (
            <option key={depth} value={depth}>
              {depth === LIMITS.defaultDepth ? `${depth} (default)` : depth}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label="Language">
        <select value={form.lang} onChange={({ currentTarget }) => change({ lang: currentTarget.value })}>
          {[languages.main, ...languages.sub].map((lang) => (
            <option key={lang} value={lang}>
              {lang === languages.main ? `${lang} (main)` : lang}
            </option>
          ))}
        </select>
      </Labelled>
      <Check
        label="Language fallback"
        checked={form.fallback}
        onChange={(fallback) => change({ fallback })}
      />
      <TextInput
        label="Select"
        value={form.select}
        hint="title, author.name"
        onInput={(select) => change({ select })}
      />
      {form.kind === 'item' ? (
        <ItemControls form={form} change={change} />
      ) : (
        <ListControls form={form} change={change} />
      )}
      {formatPaths.map((path) => (
        <FormatControl key={path} path={path} form={form} change={change} />
      ))}
    </div>
  );
}

type PartProps = Pick<ControlsProps, 'form' | 'change'>;

function ItemControls({ form: { include }, change }: PartProps) {
  return (
    <fieldset class="response-include">
      <legend>Include</legend>
      {INCLUDES.map((name) => (
        <Check
          key={name}
          label={name}
          checked={include.includes(name)}
          onChange={(isOn) =>
            change({ include: INCLUDES.filter((other) => (other === name ? isOn : include.includes(other))) })
          }
        />
      ))}
    </fieldset>
  );
}

function ListControls({ form, change }: PartProps) {
  return (
    <>
      <NumberInput label="Limit" value={form.limit} hint="100" onInput={(limit) => change({ limit })} />
      <NumberInput label="Offset" value={form.offset} hint="0" onInput={(offset) => change({ offset })} />
      <TextInput
        label="Order"
        value={form.order}
        hint="-_created_at"
        onInput={(order) => change({ order })}
      />
      <TextInput
        label="Contains"
        value={form.contains}
        hint="word, word"
        onInput={(contains) => change({ contains })}
      />
    </>
  );
}

function FormatControl({ path, form, change }: PartProps & { path: string }) {
  const choose = (format: TextFormat) => {
    const { [path]: _, ...others } = form.formats;
    change({ formats: format === TEXT_FORMATS[0] ? others : { ...others, [path]: format } });
  };
  return (
    <Labelled label={`${path}[format]`}>
      <select
        value={form.formats[path] ?? TEXT_FORMATS[0]}
        onChange={({ currentTarget }) => choose(currentTarget.value as TextFormat)}
      >
        {TEXT_FORMATS.map((format) => (
          <option key={format} value={format}>
            {format}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
