/** Profiles the loads that targets measure: node --expose-gc test/bench/targets/profiles.ts, after a build. */
import { readMachine } from '../machine.ts';
import { writeResults } from '../results.ts';
import { profileLoads } from './load-targets.ts';
import { profilesSection, type TargetProfiles } from './profiles-section.ts';

const results: TargetProfiles = { machine: readMachine(), profiles: await profileLoads() };
console.log(profilesSection(results));
if (!process.argv.includes('--quick')) writeResults('target-profiles', results);
process.exit();
