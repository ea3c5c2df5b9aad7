import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { JAPANESE } from '../../../src/shared/messages/japanese.ts';
import { COMMANDS } from '../../../src/shared/messages/japanese-commands.ts';
import { isJapanese } from '../../../src/shared/messages/load-language.ts';
import { PLACEHOLDER, translate } from '../../../src/shared/messages/translate.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = globSync('src/**/*.ts', { cwd: ROOT })
  .filter((file) => !file.startsWith(join('src', 'shared', 'messages')))
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  // Without what is only syntax: escaped quotes, and strings that are joined.
  .map((source) => source.replaceAll(/\\(['"`])/g, '$1').replaceAll(/['"`] \+\s+['"`]/g, ''));
const ENTRIES = Object.entries(JAPANESE);
const isTranslated = (text: string) => /[\u3040-\u30ff\u4e00-\u9fff]/.test(translate(text));

describe('every translation', () => {
  test('is of a message that is in the code', () => {
    const unknown = ENTRIES.filter(([english]) => {
      const parts = english
        .split(/\{\w+\}/)
        .map((part) => part.replaceAll(/^[\s,.:;]+|[\s,.:;]+$/g, ''))
        .filter((part) => part.length > 2);
      return !SOURCES.some((source) => parts.every((part) => source.includes(part)));
    });
    expect(unknown.map(([english]) => english)).toEqual([]);
  });

  test('has the placeholders of the message', () => {
    const namesIn = (text: string) =>
      [...text.matchAll(PLACEHOLDER)].map(([, name]) => name).filter((name) => name !== '_');
    for (const [english, japanese] of ENTRIES) {
      expect(namesIn(japanese).sort(), english).toEqual(namesIn(english).sort());
    }
  });

  test('of an error or a warning can be searched for: it has a code, a name or a term in English', () => {
    for (const [english, japanese] of ENTRIES) {
      if (!(english in COMMANDS)) expect(japanese, english).toMatch(/[A-Za-z]{2}|\{\w+\}/);
    }
  });

  test('is found by the message', () => {
    for (const [english] of ENTRIES) {
      expect(isTranslated(english.replaceAll('{n}', '7').replaceAll('{_}', 'are')), english).toBe(true);
    }
  });
});

/** The texts in a file: of strings, and of templates with `7` for each expression. */
function textsIn(file: string, accepts: (node: ts.Node) => boolean): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && accepts(node)) found.push(node.text);
    if (ts.isTemplateExpression(node) && accepts(node))
      found.push(node.head.text + node.templateSpans.map(({ literal }) => `7${literal.text}`).join(''));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test.each([
  ['src/cli/init/prompts.ts', 15],
  ['src/client/http/errors/network-error.ts', 11],
])('every message in %s has a translation', (file, least) => {
  const isMessage = (node: ts.Node): boolean => {
    const { parent } = node;
    if (ts.isConditionalExpression(parent)) return isMessage(parent);
    if (ts.isPropertyAssignment(parent)) return /^(message|label|hint)$/.test(parent.name.getText());
    return ts.isCallExpression(parent) && parent.expression.getText() === 'localize';
  };
  const messages = textsIn(file, isMessage).filter((text) => text.includes(' '));
  expect(messages.length).toBeGreaterThanOrEqual(least);
  expect(messages.filter((text) => !isTranslated(text))).toEqual([]);
});

describe('a message', () => {
  test.each([
    [
      '[GET] http://a.test/v1/contents: connection refused\n  → Is the service running? Check the URL (`baseUrl`, LUID_BASE_URL)',
      '[GET] http://a.test/v1/contents: 接続が拒否されました (connection refused)\n  → サービス (service) は起動していますか？URL (`baseUrl`、LUID_BASE_URL) を確認してください',
    ],
    [
      "loader(\"article\"): unknown option 'deph'\n  → Did you mean 'depth'? Valid options: depth, id.",
      "loader(\"article\"): 'deph' というオプションはありません (unknown option)\n  → 'depth' ではありませんか？使用できるオプション (valid options): depth, id。",
    ],
    [
      'article (ja, en): 1,180 entries, 12 added, 3 changed',
      'article (ja, en): 1,180 エントリー、追加 12、変更 3',
    ],
    [
      'Content (ja): 160 items, none changed; 2 requests (2 from the CDN), 1 retry',
      'Content (ja): 160 件、変更なし、リクエスト 2 回 (CDN から 2 回)、再試行 1 回',
    ],
    ['The space has no baseUrl and no apiKey', 'スペースに baseUrl、apiKey が設定されていません'],
    [
      '  → This page is rendered on request, and the server was started without LUID_BASE_URL and LUID_API_KEY.',
      '  → このページはオンデマンドでレンダリングされますが、サーバーの起動時に LUID_BASE_URL、LUID_API_KEY が設定されていませんでした。',
    ],
    ['10:23:29 Content has changed', '10:23:29 コンテンツが変更されました'],
    ['10:23:29 \u001b[2mWill retry.\u001b[22m', '10:23:29 \u001b[2m再試行します。\u001b[22m'],
    [
      'luid init: unknown option --foo (see luid init --help)',
      'luid init: --foo というオプションはありません (unknown option) (詳細: luid init --help)',
    ],
    [
      'luid init: unknown option --frce; did you mean --force? (see luid init --help)',
      'luid init: --frce というオプションはありません (unknown option)。--force ではありませんか？ (詳細: luid init --help)',
    ],
    [
      'luid init: --service or --base-url is required (or set LUID_SERVICE or LUID_BASE_URL) (see luid init --help)',
      'luid init: --service または --base-url を指定してください (または LUID_SERVICE または LUID_BASE_URL を設定) (詳細: luid init --help)',
    ],
    [
      'The key reads published content (no drafts found): 160 items in _parent, shop.',
      'API キーは公開コンテンツを取得できます (下書きは見つかりませんでした): 160 件 (スペース: _parent, shop)。',
    ],
    ['Languages: ja, en.', '言語: ja, en。'],
    [
      '\u001b[33muncertain\u001b[39m page: a, b, and 8 more',
      '\u001b[33m要確認\u001b[39m page: a, b ほか 8 件',
    ],
    ['2 collections cannot be loaded:', '2 件のコレクションを読み込めません (cannot be loaded):'],
    [
      'Service unavailable; using cached content (5 min old)',
      'サービスを利用できないため (service unavailable)、キャッシュされたコンテンツを使用します (5 分前)',
    ],
    ['src/space.ts compared with the content:', 'src/space.ts とコンテンツの比較:'],
    [
      '\u001b[1msrc/space.ts\u001b[22m compared with the content:',
      '\u001b[1msrc/space.ts\u001b[22m とコンテンツの比較:',
    ],
    [
      'Verified in en: the cache matches the service',
      '検証済み (en): キャッシュはサービスの内容と一致しています',
    ],
    [
      "    → Did you mean 'article'? Declare that model, or name one of article, author",
      "    → 'article' ではありませんか？そのモデルを宣言するか、article, author のいずれかを指定してください",
    ],
    [
      "  → The key is missing or wrong: check LUID_API_KEY, sent as X-KEY. NILTO expects X-B: set `service: 'nilto'` (LUID_SERVICE=nilto). Any other header: set `apiKeyHeader` (LUID_API_KEY_HEADER)",
      "  → API キーがないか、正しくありません。LUID_API_KEY を確認してください (送信ヘッダー: X-KEY)。NILTO のヘッダーは X-B です。`service: 'nilto'` (LUID_SERVICE=nilto) を設定してください。その他のヘッダーの場合は、`apiKeyHeader` (LUID_API_KEY_HEADER) を設定してください",
    ],
    [
      'articles: 2 entries are skipped. 2 items do not match the declared models:',
      'articles: 2 エントリーをスキップしました (skipped)。2 件が、宣言されたモデル (models) と一致しません:',
    ],
    [
      '\u001b[36mproposed\u001b[39m article: one entry per language (ja, en)',
      '\u001b[36m提案\u001b[39m article: 言語ごとに 1 エントリー (ja, en)',
    ],
    ['\u001b[32mwrote\u001b[39m src/space.ts', '\u001b[32m作成\u001b[39m src/space.ts'],
    ['\u001b[2m… finding the models\u001b[22m', '\u001b[2m… モデルを検出しています\u001b[22m'],
    ['An unknown sentence. Will retry. Another one.', 'An unknown sentence. 再試行します。 Another one.'],
    [
      '{"event":"watching","text":"Content has changed"}',
      '{"event":"watching","text":"Content has changed"}',
    ],
    ['', ''],
  ])('%j is translated as far as it is known', (english, japanese) => {
    expect(translate(english)).toBe(japanese);
  });
});

describe('the language', () => {
  test.each([
    [{ LUID_LANG: 'ja' }, true],
    [{ LUID_LANG: 'en', LANG: 'ja_JP.UTF-8' }, false],
    [{ LUID_LANG: '', LANG: 'ja_JP.UTF-8' }, true],
    [{ LC_ALL: 'ja', LANG: 'en_US.UTF-8' }, true],
    [{ LC_ALL: 'C', LANG: 'ja_JP.UTF-8' }, false],
    [{ LANG: 'jam_JM' }, false],
    [{}, false],
  ])('of %j', (variables: Record<string, string>, expected) => {
    expect(isJapanese((name) => variables[name])).toBe(expected);
  });
});
