/** The heading in CHANGELOG.md of what is not part of a version yet. */
const UNRELEASED = 'Unreleased';

/** The text below the heading of a version in CHANGELOG.md. */
export function releaseNotes(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split('\n', 1)[0].trim() === version);
  return section?.slice(section.indexOf('\n')).trim();
}

export function hasUnreleased(changelog) {
  return releaseNotes(changelog, UNRELEASED) !== undefined;
}

/** The changelog with what is unreleased as the section of this version. */
export function withVersion(changelog, version) {
  if (!hasUnreleased(changelog)) throw new Error(`CHANGELOG.md has no section "## ${UNRELEASED}".`);
  return changelog.replace(new RegExp(`^## ${UNRELEASED}\\s*$`, 'm'), `## ${version}\n`);
}
