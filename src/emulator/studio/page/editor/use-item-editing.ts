import { useEffect, useRef, useState } from 'preact/hooks';
import type { ActionResult, ItemAction, StudioField, StudioItem } from '../../studio-types.ts';
import { ApiError, get } from '../api.ts';
import { useStudio } from '../studio.ts';
import { notify } from '../ui/notices.tsx';
import { changeItem } from './change-item.ts';
import { focusProblem } from './focus-problem.ts';
import { doneText } from './model/actions.ts';
import { doubtAbout } from './model/doubts.ts';
import {
  afterAction,
  afterSave,
  contestedOverwrites,
  type Editing,
  findDifferences,
  findOverwrites,
  hasUnsavedChanges,
  receive,
  savedValues,
  startEditing,
} from './model/editing.ts';
import { findLocalProblems } from './model/local-problems.ts';
import { pickChanges } from './model/values.ts';
import { useQuestion } from './overwrite-dialog.tsx';

interface Options {
  readonly initial: StudioItem;
  readonly fields: readonly StudioField[];
  /** Shows the language before a field in it gets the focus. */
  readonly showLanguage: (lang: string) => void;
}

/** An item while it is edited: its state, saving and the other actions. */
export function useItemEditing({ initial, fields, showLanguage }: Options) {
  const [state, setState] = useState(() => startEditing(fields, initial));
  const latestState = useRef(state);
  const [isBusy, setIsBusy] = useState(false);
  const { question, ask } = useQuestion();
  const current = () => ({ ...latestState.current, fields });
  const update = (change: (state: Editing) => Editing) => {
    latestState.current = change(current());
    setState(latestState.current);
  };
  const isGone = useReload(initial.id, isBusy, (item) => update((before) => receive(before, item)));

  const showProblems = (lang: string, problems: ApiError['problems']) => {
    update((before) => ({
      ...before,
      problems: [...before.problems.filter((entry) => entry.lang !== lang), { lang, problems }],
    }));
    showLanguage(lang);
    if (problems[0]) focusProblem(lang, problems[0].path);
  };

  const saveLanguage = async (lang: string, sent: Editing['edits'][string]): Promise<boolean> => {
    const changes = pickChanges(fields, savedValues(current().item, lang), sent);
    const send = (version: string) => changeItem(initial.id, 'draft', { version, lang, fields: changes });
    try {
      const result = await sendWithConsent(send, current, (theirs) => {
        const overwrites = findOverwrites(current(), theirs);
        return overwrites.length === 0 || ask({ kind: 'overwrite', overwrites, known: theirs });
      });
      if (result instanceof Declined) {
        update((before) => receive(before, result.current));
        return false;
      }
      update((before) => afterSave(before, result.item, lang, sent));
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.problems.length > 0) showProblems(lang, error.problems);
      else notifyFailure(error);
      return false;
    }
  };

  const saveAll = async (): Promise<boolean> => {
    const { edits } = current();
    for (const [lang, values] of Object.entries(edits)) {
      const problems = findLocalProblems(fields, values);
      if (problems.length === 0) continue;
      showLanguage(lang);
      focusProblem(lang, problems[0]!.path);
      notify('Some fields are not complete. Correct them before you save.', 'failed');
      return false;
    }
    const overwrites = contestedOverwrites(current());
    if (overwrites.length > 0 && !(await ask({ kind: 'overwrite', overwrites, known: current().item })))
      return false;
    for (const [lang, sent] of Object.entries(edits)) {
      if (!(await saveLanguage(lang, sent))) return false;
    }
    return true;
  };

  const runOther = async (action: ItemAction, before: StudioItem): Promise<StudioItem | undefined> => {
    const result = await sendWithConsent(
      (version) => changeItem(initial.id, action, { version }),
      current,
      (theirs) => {
        const differences = findDifferences(current(), theirs);
        return ask({ kind: 'changed', action, differences, known: theirs });
      },
    );
    if (result instanceof Declined) {
      update((old) => receive(old, result.current));
      return undefined;
    }
    if (action !== 'duplicate' && action !== 'remove') update((old) => afterAction(old, result.item));
    notify(doneText(action, before, result.item));
    return result.item;
  };

  /** Publishing saves first. Returns the item of the response, or `undefined` if nothing was done. */
  const run = async (action: ItemAction): Promise<StudioItem | undefined> => {
    if (isBusy) return undefined;
    setIsBusy(true);
    try {
      const before = current().item;
      const isSave = action === 'draft' || (action === 'publish' && hasUnsavedChanges(current()));
      if (isSave && !(await saveAll())) return undefined;
      const doubt = doubtAbout(action, current().item, fields);
      if (doubt && !(await ask({ kind: 'confirm', ...doubt }))) return undefined;
      if (action !== 'draft') return await runOther(action, before);
      notify(doneText('draft', before, current().item));
      return current().item;
    } catch (error) {
      notifyFailure(error);
      return undefined;
    } finally {
      setIsBusy(false);
    }
  };

  return { state: { ...state, fields }, update, run, isBusy, isGone, question };
}

/** Nothing was sent, because the item was changed elsewhere. */
class Declined {
  readonly current: StudioItem;

  constructor(current: StudioItem) {
    this.current = current;
  }
}

/** Sends for the version that is shown. If the item was changed since, `consent` decides about sending again. */
async function sendWithConsent(
  send: (version: string) => Promise<ActionResult>,
  current: () => Editing,
  consent: (theirs: StudioItem) => boolean | Promise<boolean>,
): Promise<ActionResult | Declined> {
  let { version } = current().item;
  for (;;) {
    try {
      return await send(version);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error;
      const theirs = error.current ?? (await get<StudioItem>(`contents/${current().item.id}`));
      if (!(await consent(theirs))) return new Declined(theirs);
      version = theirs.version;
    }
  }
}

/** Loads the item again when content changes, but not during a save. Returns whether it was deleted. */
function useReload(id: number, isPaused: boolean, onItem: (item: StudioItem) => void): boolean {
  const { activity, problem } = useStudio();
  const isConnected = problem === undefined;
  const [isGone, setIsGone] = useState(false);
  useEffect(() => {
    if (isPaused) return;
    const outdated = new AbortController();
    get<StudioItem>(`contents/${id}`, { signal: outdated.signal }).then(
      (item) => {
        if (outdated.signal.aborted) return;
        setIsGone(false);
        onItem(item);
      },
      (error: unknown) => {
        // Without a connection the page says so itself, and the item is loaded again afterwards.
        if (!outdated.signal.aborted && error instanceof ApiError && error.status === 404) setIsGone(true);
      },
    );
    return () => outdated.abort();
  }, [id, isPaused, isConnected, activity?.content]);
  return isGone;
}

function notifyFailure(error: unknown): void {
  notify(error instanceof Error ? error.message : String(error), 'failed');
}
