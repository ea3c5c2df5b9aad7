import { execFileSync, spawnSync } from 'node:child_process';
import { untilPasses } from '../../support/until.ts';

/** Real terminals need tmux, which not every machine has. */
export const HAS_TMUX = spawnSync('tmux', ['-V']).status === 0;

/** A terminal of 100 columns and 50 lines with a program in it. */
export interface Terminal {
  /** What it shows. */
  screen(): string;
  /** Waits until it shows this. */
  shows(text: string | RegExp): Promise<void>;
  /** Types text, or presses a key such as `Enter`, `Down` or `C-c`. */
  type(text: string): void;
  press(...keys: string[]): void;
  close(): void;
}

let terminals = 0;

/** Starts a program and, once it has ended, shows `ended CODE`. */
export function openTerminal(folder: string, command: readonly string[], env: NodeJS.ProcessEnv): Terminal {
  const socket = `luid-test-${process.pid}-${terminals++}`;
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', socket, ...args], { encoding: 'utf8', env });
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const shell = `${quoted}; echo ended $?; cat`;
  const size = ['-x', '100', '-y', '50'];
  tmux('-f', '/dev/null', 'new-session', '-d', ...size, '-s', 'luid', '-c', folder, shell);
  const screen = () => tmux('capture-pane', '-p', '-t', 'luid');
  return {
    screen,
    shows: (text) =>
      untilPasses(() => {
        const shown = screen();
        if (typeof text === 'string' ? shown.includes(text) : text.test(shown)) return;
        throw new Error(`the terminal does not show ${text}:\n${shown}`);
      }),
    type: (text) => void tmux('send-keys', '-t', 'luid', '-l', text),
    press: (...keys) => void tmux('send-keys', '-t', 'luid', ...keys),
    close: () => void tmux('kill-server'),
  };
}
