/**
 * Whether npm has installed what the lock file says, compared with the lock file that npm keeps in node_modules: both as
 * `packages`. `omitsDev` is what `npm ci --omit=dev` installs; more than needed is fine, but nothing outdated or of another
 * platform. Optional packages may be missing: npm skips those that the platform or the registry lacks.
 */
export function isInstalled(locked, installed, { omitsDev, platform, arch }) {
  const isFor = (list, value) => !list || list.includes(value);
  const isCurrent = ([place, { version, os, cpu }]) =>
    Object.hasOwn(locked, place) &&
    locked[place].version === version &&
    isFor(os, platform) &&
    isFor(cpu, arch);
  const isSatisfied = ([place, { dev, optional, devOptional }]) =>
    Object.hasOwn(installed, place) ||
    !place.includes('node_modules/') ||
    optional ||
    devOptional ||
    (dev && omitsDev);
  return Object.entries(installed).every(isCurrent) && Object.entries(locked).every(isSatisfied);
}
