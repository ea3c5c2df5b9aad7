import { readFileSync } from 'node:fs';
import { arch, cpus, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { TEXT } from './text.ts';

/** The machine and the date of a measurement. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  readonly node: string;
  readonly astro: string;
  readonly date: string;
  /** Of the content. Older results lack it, and are of ASCII. */
  readonly text?: string;
}

export function readMachine(): Machine {
  const astro = fileURLToPath(import.meta.resolve('astro/package.json'));
  // Some ARM machines do not report the model.
  const model = cpus()[0]?.model;
  return {
    cpu: !model || model === 'unknown' ? arch() : `${model} (${arch()})`,
    cores: cpus().length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    system: type(),
    node: process.versions.node,
    astro: JSON.parse(readFileSync(astro, 'utf8')).version,
    date: new Date().toISOString().slice(0, 10),
    text: TEXT,
  };
}

export function describeMachine({
  cpu,
  cores,
  memory,
  system,
  node,
  astro,
  date,
  text = 'ASCII',
}: Machine): string {
  return `Measured on ${date}: ${cpu}, ${cores} cores, ${memory} of memory, ${system}, Node ${node}, Astro ${astro}, ${text} text.`;
}
