import { listContents } from '../../client/endpoints/content-requests.ts';
import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import type { ContentWarning } from '../../entries/problems/content-warning.ts';
import {
  type DanglingReferences,
  danglingWarning,
  findDanglingReferences,
  otherSpaceWarning,
  type TargetModels,
  type TargetSpaces,
} from '../../entries/problems/dangling-references.ts';
import { describeItem } from '../../entries/problems/describe-item.ts';
import {
  findMissingFields,
  missingFieldsWarning,
  undeclaredFieldWarnings,
} from '../../entries/problems/field-mismatch.ts';
import { pluralize } from '../../format-count.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import { visitReferences } from '../../models/walk.ts';
import type { Replica } from '../../replica/replica.ts';
import type { ReplicaWarnings } from '../../space/runtime.ts';
import type { RunningSpace, SpaceCore } from '../../space/space.ts';
import { DRAFTS_WARNING, USE_ANOTHER_KEY } from './shared-key.ts';

export interface LoadedContent {
  readonly space: RunningSpace;
  readonly collection: string;
  readonly drafts: boolean;
  /** Of the main language. */
  readonly replica: Replica;
  /** Everything that the entries of the collection show. */
  readonly shown: ReadonlySet<WireContent>;
}

/** Problems in the content of a collection that a site's owner should know about. */
export async function contentWarnings({
  space,
  collection,
  drafts,
  replica,
  shown,
}: LoadedContent): Promise<ContentWarning[]> {
  const { missingFields: missing, danglingReferences } = await space.runtime.warnings(replica, () =>
    inspectReplica(space, replica, drafts),
  );
  const models = new Set([...shown].map(({ _model }) => _model));
  return [
    ...undeclaredFieldWarnings(space.models, shown, space.settings.strict),
    ...[...models].flatMap((model) => missing.get(model) ?? []),
    ...[...models].flatMap((model) => danglingReferences.get(model) ?? []),
    ...(drafts ? [] : draftWarnings(collection, shown)),
  ];
}

/** What a load makes again, and the warnings that it starts from. */
export interface UpdatedContent extends LoadedContent {
  readonly known: readonly ContentWarning[];
  /** Content IDs of everything that may differ. */
  readonly affected: ReadonlySet<number>;
  /** Whether content exists in the main language. */
  readonly exists: (id: number) => boolean;
}

/** Whether some of the items of a collection may add to its warnings, or change them. */
export function mayChangeWarnings(content: UpdatedContent): boolean {
  const { space, collection, drafts, replica, shown, known, affected, exists } = content;
  const keys = new Set(known.map(({ key }) => key));
  const isNew = ({ key }: ContentWarning) => !keys.has(key);
  return (
    known.some(({ items }) => items?.some((id) => affected.has(id))) ||
    undeclaredFieldWarnings(space.models, shown, space.settings.strict).some(isNew) ||
    [...shown].some(
      (item) =>
        affected.has(item._id) &&
        ((!drafts && draftWarnings(collection, new Set([item])).length > 0) ||
          hasDanglingReference(space, replica, item, exists)),
    )
  );
}

function hasDanglingReference(
  { models }: SpaceCore,
  { removed, undeclared }: Replica,
  item: WireContent,
  exists: (id: number) => boolean,
): boolean {
  let found = false;
  visitReferences(fieldsOf(models, item._model), item, ({ field, value }) => {
    if (typeof value !== 'number' || removed.has(value) || exists(value)) return;
    if (targetsOf(field) || undeclared.has(value)) found = true;
  });
  return found;
}

function draftWarnings(collection: string, shown: ReadonlySet<WireContent>): ContentWarning[] {
  // `published_draft` is not evidence: a key for published content sees it too, with the published data.
  const drafts = [...shown].filter(
    ({ _status, _published_at }) => _status === 'draft' || _published_at === null,
  );
  const [first] = drafts;
  if (!first) return [];
  const line = `${collection} contains ${pluralize(drafts.length, 'draft')}, but its loader does not set \`drafts: true\` (example: ${describeItem(first)}): the key reads drafts. ${USE_ANOTHER_KEY}`;
  return [{ key: DRAFTS_WARNING, line, items: drafts.map(({ _id }) => _id) }];
}

async function inspectReplica(space: SpaceCore, replica: Replica, drafts: boolean): Promise<ReplicaWarnings> {
  const items = await replica.items();
  const missing = findMissingFields(space.models, items.values());
  const dangling = findDanglingReferences(space.models, items);
  const targets = await findTargets(space, dangling, replica.isFromCache, drafts);
  const byModel = new Map<string, ContentWarning[]>();
  for (const one of dangling) {
    const warnings = [danglingWarning(one, targets.models), otherSpaceWarning(one, targets.spaces)];
    for (const warning of warnings)
      if (warning) byModel.set(one.model, [...(byModel.get(one.model) ?? []), warning]);
  }
  return {
    missingFields: new Map([...missing].map(([model, paths]) => [model, missingFieldsWarning(model, paths)])),
    danglingReferences: byModel,
  };
}

/** How many targets of each field are looked up at most. */
const TARGETS_PER_FIELD = 20;
const NOT_FOUND: FoundTargets = { models: new Map(), spaces: new Map() };

interface FoundTargets {
  readonly models: TargetModels;
  readonly spaces: TargetSpaces;
}

/** The models and sub-spaces of targets that are not in the replica. No request if all references resolve. */
async function findTargets(
  space: SpaceCore,
  dangling: readonly DanglingReferences[],
  offline: boolean,
  drafts: boolean,
): Promise<FoundTargets> {
  const share = Math.min(TARGETS_PER_FIELD, Math.max(1, Math.floor(LIMITS.pageSize / dangling.length)));
  const ids = [...new Set(dangling.flatMap(({ ids }) => [...ids.keys()].slice(0, share)))];
  const some = ids.slice(0, LIMITS.pageSize);
  // Offline, hidden content and content of undeclared models look the same.
  if (offline) {
    const hidden = dangling.flatMap(({ ids: all }) => [...all.keys()].map((id) => [id, null] as const));
    return { models: new Map(hidden), spaces: new Map() };
  }
  if (some.length === 0) return NOT_FOUND;
  const { space: ownSpace } = space.settings;
  const select = ownSpace === undefined ? '_id,_model' : '_id,_model,_space';
  const query = { '_id[in]': some.join(','), select, depth: 0, limit: LIMITS.pageSize };
  try {
    const budget = { retriesLeft: 0 };
    const { data } = await listContents(space.connect({ drafts }), query, { budget });
    const isDeclared = (item: WireContent) => Object.hasOwn(space.models, item._model);
    // Content of a declared model is in another space, or newer than the replica.
    const others = data.filter((item) => isDeclared(item) && item._space && item._space !== ownSpace);
    const models = new Map(data.filter((item) => !isDeclared(item)).map(({ _id, _model }) => [_id, _model]));
    return {
      models: new Map(some.map((id) => [id, models.get(id) ?? null])),
      spaces: new Map(ownSpace === undefined ? [] : others.map(({ _id, _space = '' }) => [_id, _space])),
    };
  } catch {
    // The warning does without the names of the models.
    return NOT_FOUND;
  }
}
