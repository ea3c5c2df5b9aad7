const TOKENS = [
  'AKIA[0-9A-Z]{16}',
  'gh[pousr]_[A-Za-z0-9]{36}',
  'github_pat_\\w{50}',
  'xox[abprs]-[\\w-]{10,200}',
  '[rs]k_live_[A-Za-z0-9]{20}',
  'AIza[\\w-]{35}',
  'npm_[A-Za-z0-9]{36}',
  'sk-(?:ant-|proj-)?[A-Za-z0-9_-]{32}',
  'eyJ[\\w-]{10,500}\\.eyJ[\\w-]{10,2000}\\.[\\w-]{10}',
];
const TOKEN = `(?<![\\w-])(?:${TOKENS.join('|')})`;
const PRIVATE_KEY = '-----BEGIN (?:[A-Z]{1,20} )?PRIVATE KEY-----';
/** A name such as パスワード, and a value with letters and digits. */
const NAMED =
  '(?:password|passwd|pwd|api[ _-]?key|secret[ _-]?key|access[ _-]?token|パスワード|暗証番号|APIキー|秘密鍵)\\s{0,3}[:=：＝]\\s{0,3}["\']?(?=[!-~]{0,80}\\d)(?=[!-~]{0,80}[A-Za-z])(?![!-~]{0,20}[<>])[!-~]{8,80}';
// Apart: with flags that all of them need, matching takes three times as long.
const SECRETS = [new RegExp(`${TOKEN}|${PRIVATE_KEY}`, 'g'), new RegExp(NAMED, 'gi')];

export function secretsIn(text: string): string[] {
  return SECRETS.flatMap((pattern) => text.match(pattern) ?? []);
}

/** The text without what looks like a secret: reports are stored and read by others. */
export function redact(text: string): string {
  return SECRETS.reduce(
    (shown, pattern) => shown.replaceAll(pattern, (found) => `${found.slice(0, 4)}…`),
    text,
  );
}
