/** Whether a version is in the registry, according to `npm view NAME@VERSION version`. */
export function isInRegistry({ code, output }, version) {
  if (code === 0) return output.split('\n').some((line) => line.trim() === version);
  if (/\bE404\b/.test(output)) return false;
  throw new Error(`npm view failed:\n${output}`);
}
