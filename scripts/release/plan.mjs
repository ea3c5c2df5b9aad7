/** The names of changesets among the files of .changeset. */
export function pendingChangesets(files) {
  return files.filter((name) => name.endsWith('.md') && name !== 'README.md');
}

/** What the release workflow does next. */
export function nextStep({ changesets, isPublished }) {
  if (changesets > 0) return 'version';
  return isPublished ? 'none' : 'publish';
}

/** Whether a version is in the registry, according to `npm view NAME@VERSION version`. */
export function isInRegistry({ code, output }, version) {
  if (code === 0) return output.split('\n').some((line) => line.trim() === version);
  if (/\bE404\b/.test(output)) return false;
  throw new Error(`npm view failed:\n${output}`);
}
