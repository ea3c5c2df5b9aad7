/** The text below the heading of a version in CHANGELOG.md. */
export function releaseNotes(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split('\n', 1)[0].trim() === version);
  return section?.slice(section.indexOf('\n')).trim();
}
