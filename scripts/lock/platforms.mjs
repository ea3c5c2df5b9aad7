// Native packages publish one optional package per platform. npm leaves out of the lock file those that the
// registry did not have when it was written: `npm ci` then refuses the lock file, and `npm install` on such a
// platform never fetches its binary.

const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** Optional dependencies that the lock file names without an entry of their own: `{ parent, name, range }`. */
export function missingPlatforms(packages) {
  return Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !placesOf(parent, name).some((place) => packages[place]))
      .map(([name, range]) => ({ parent, name, range })),
  );
}

/** Where Node finds a dependency of a package, nearest first. */
function placesOf(parent, name) {
  const places = [];
  for (let at = parent; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    places.push(`${at === '' ? '' : `${at}/`}node_modules/${name}`);
    if (!at.includes('/node_modules/')) {
      if (at !== '') places.push(`node_modules/${name}`);
      return places;
    }
  }
}

/** What a platform package's name says: `@scope/binding-linux-arm64-musl` → os, cpu and libc. */
export function platformOf(name) {
  const words = name
    .slice(name.lastIndexOf('/') + 1)
    .replace('windows', 'win32')
    .split('-');
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  if (!os || !cpu) throw new Error(`Cannot tell the platform of ${name} from its name.`);
  const abi = os === 'linux' ? (words.at(-1) ?? '') : '';
  const libc = abi.startsWith('musl') ? 'musl' : abi.startsWith('gnu') ? 'glibc' : undefined;
  return { os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) };
}
