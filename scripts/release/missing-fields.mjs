/** What package.json needs before the package is published, and why. */
const FIELDS = {
  author: 'npm shows it',
  license: 'npm shows it',
  repository: 'npm verifies provenance with it, and resolves the links of the README',
  homepage: 'npm links to it',
  bugs: 'npm links to it',
};

/** Why a package with this package.json cannot be published yet: one line per reason. */
export function missingFields(manifest) {
  const problems = Object.entries(FIELDS)
    .filter(([name]) => manifest[name] === undefined || manifest[name] === '')
    .map(([name, reason]) => `package.json has no ${name}: ${reason}.`);
  for (const name of ['repository', 'homepage', 'bugs']) {
    const url = typeof manifest[name] === 'object' ? manifest[name]?.url : manifest[name];
    if (manifest[name] && !isPublicUrl(url))
      problems.push(`${name} in package.json is not an https URL: ${JSON.stringify(manifest[name])}`);
  }
  if (manifest.private) problems.push('package.json is private.');
  if (manifest.publishConfig?.provenance !== true)
    problems.push('package.json has no publishConfig.provenance.');
  return problems;
}

/** Whether this is an https URL whose host is not reserved for examples. */
function isPublicUrl(url) {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const isReserved = /(^|\.)(example|invalid|test|localhost|example\.(com|net|org))$/.test(hostname);
  return ['https:', 'git+https:'].includes(protocol) && hostname.includes('.') && !isReserved;
}
