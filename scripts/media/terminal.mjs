import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from './wait-until.mjs';

const PROMPT = '\\[\\e[1;34m\\]my-site\\[\\e[0m\\] $ ';

/**
 * A shell in a real terminal (tmux). `home` is a folder for its settings; nothing of this machine's settings is
 * used, so that its prompt names no user, machine or path.
 */
export function openTerminal({ folder, home, columns, rows, env = {} }) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'bashrc'), `PS1='${PROMPT}'\n`);
  const socket = `luid-media-${process.pid}`;
  const { PATH, LANG = 'C.UTF-8' } = process.env;
  const options = { encoding: 'utf8', env: { PATH, LANG, TERM: 'xterm-256color', HOME: home, ...env } };
  const tmux = (...args) => execFileSync('tmux', ['-u', '-L', socket, ...args], options);
  const shell = `bash --noprofile --rcfile '${join(home, 'bashrc')}'`;
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux('-f', '/dev/null', 'new-session', '-d', ...size, '-s', 'media', '-c', folder, shell);
  tmux('set-option', '-g', 'status', 'off');
  tmux('resize-window', '-t', 'media', ...size);

  const text = () => tmux('capture-pane', '-p', '-t', 'media');
  /** What the terminal shows: its lines with colors, and where its cursor is. */
  const screen = () => {
    const [column, row, visible] = tmux(
      'display-message',
      '-p',
      '-t',
      'media',
      '#{cursor_x} #{cursor_y} #{cursor_flag}',
    )
      .split(' ')
      .map(Number);
    const lines = tmux('capture-pane', '-e', '-p', '-t', 'media').split('\n').slice(0, rows);
    return { lines, cursor: visible ? { column, row } : undefined };
  };
  const press = (key) => tmux('send-keys', '-t', 'media', key);
  return {
    text,
    screen,
    shows: (pattern) =>
      waitUntil(
        () => `the terminal shows ${pattern}:\n${text()}`,
        () => pattern.test(text()),
      ),
    /** Presses a key such as `Enter`, and waits until the terminal shows something else. */
    async press(key) {
      const before = JSON.stringify(screen());
      press(key);
      await waitUntil(
        () => `the terminal shows the key ${key}`,
        () => JSON.stringify(screen()) !== before,
      );
    },
    /** Types a character, and waits until it is shown. */
    async type(character) {
      const before = JSON.stringify(screen());
      tmux('send-keys', '-t', 'media', '-l', character);
      await waitUntil(
        () => `the terminal shows ${character}`,
        () => JSON.stringify(screen()) !== before,
      );
    },
    close: () => tmux('kill-server'),
  };
}
