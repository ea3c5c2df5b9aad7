import { COMMANDS } from './japanese-commands.ts';

/**
 * English messages and their translations. A `{name}` stands for what varies, and is translated too if it has a
 * translation; `{_}` is only in English. A translation keeps names of options, variables and codes, so that it can be
 * searched for.
 */
export const JAPANESE: Readonly<Record<string, string>> = {
  // Configuration
  'The space has no {list}': 'スペースに {list} が設定されていません。',
  'Set {list} in .env, or in the environment of the host or CI that builds the site, or pass defineSpace({options}).':
    '{list} を .env か、サイトをビルドするホストや CI の環境変数に設定してください。または defineSpace({options}) に渡してください。',
  'Looked up in this order: the option, the environment, .env.':
    'オプション、環境変数、.env の順に探します。',
  'Instead of the URL, LUID_SERVICE can be {services}.':
    'URL の代わりに LUID_SERVICE に {services} を設定することもできます。',
  'This page is rendered on request, and the server was started without {list}.':
    'このページはオンデマンドでレンダリングされますが、サーバーの起動時に {list} が設定されていませんでした。',
  'A built server does not read .env: start it with `node --env-file=.env dist/server/entry.mjs`, or set them as run-time variables in the host’s settings.':
    'ビルド済みのサーバーは .env を読み込みません。`node --env-file=.env dist/server/entry.mjs` で起動するか、ホストの設定で実行時の環境変数として設定してください。',
  '{problem}; did you mean {name}?': '{problem}。{name} ではありませんか？',
  'unknown option {name}': '{name} というオプションはありません (unknown option)。',
  'Did you mean {name}?': '{name} ではありませんか？',
  'Valid options{_} {option}: {names}.': '{option} のオプション (valid options): {names}。',
  'Valid options: {names}.': '使用できるオプション (valid options): {names}。',
  '{option} must be {expected}, got {value}':
    '{option} の値が正しくありません (must be {expected}, got {value})。',
  '{option} and {other} exclude each other':
    '{option} と {other} は同時に指定できません (exclude each other)。',
  '{path} cannot be imported: {rest}': '{path} をインポートできません (cannot be imported): {rest}',
  'Fix the error above: a build would fail with it too.':
    '上のエラー (error) を修正してください。ビルドも同じエラーで失敗します。',
  'Invalid model map:': 'モデルマップが正しくありません (invalid model map):',
  '{place} names {model}, which is not declared': '{place} の {model} は宣言されていません。',
  'Declare that model, or name one of {names}.':
    'そのモデルを宣言するか、{names} のいずれかを指定してください。',
  '{place} has the unknown option {name}':
    '{place} に {name} というオプションはありません (unknown option)。',
  'Options of a {type} field: {names}.': '{type} フィールドのオプション: {names}。',
  'Unknown language {name}': '{name} という言語はありません (unknown language)。',
  'The space declares {names}.': 'スペースで宣言されている言語: {names}。',
  'Use one of {names}, or declare it in defineSpace({option}).':
    '{names} のいずれかを使用するか、defineSpace({option}) で宣言してください。',
  'no such model is declared': 'このモデルは宣言されていません (no such model)。',
  'Use one of {names}, or declare it in `models`.':
    '{names} のいずれかを使用するか、`models` で宣言してください。',
  '{option} names {field}, which is not a field of {model}':
    '{option} に指定された {field} は、モデル {model} のフィールドではありません。',
  '{option} names {field}, which cannot be used there: it is {kind}':
    '{option} に指定された {field} は、ここでは使用できません ({kind})。',
  'Use one of {names}.': '{names} のいずれかを使用してください。',
  'The API key contains characters that are not allowed in a header':
    'API キーに、HTTP ヘッダーで使用できない文字が含まれています (API key)。',

  // Requests
  'connection refused': '接続が拒否されました (connection refused)。',
  'unknown host': 'ホストが見つかりません (unknown host)。',
  'DNS lookup failed': 'DNS で名前を解決できませんでした (DNS lookup failed)。',
  'host unreachable': 'ホストに到達できません (host unreachable)。',
  'connection timed out': '接続がタイムアウトしました (connection timed out)。',
  'TLS failed ({code})': 'TLS 接続に失敗しました ({code})。',
  'the response was cut off': 'レスポンスが途中で切れました (the response was cut off)。',
  'no response': 'レスポンスがありません (no response)。',
  'no response within {seconds} s': '{seconds} 秒以内にレスポンスがありませんでした (no response)。',
  'the response did not end within {seconds} s':
    '{seconds} 秒以内にレスポンスが完了しませんでした (the response did not end)。',
  'The service or the network is slow: try again later, or raise `network.timeout`.':
    'サービスまたはネットワークの応答が遅くなっています。しばらくしてから再試行するか、`network.timeout` の値を大きくしてください。',
  'Check the URL (`baseUrl`, LUID_BASE_URL).': 'URL (`baseUrl`、LUID_BASE_URL) を確認してください。',
  'Is the service running?': 'サービス (service) は起動していますか？',
  'Is this machine online?': 'このマシンはネットワーク (network) に接続されていますか？',
  'Is the service down, or a firewall in between?':
    'サービス (service) が停止しているか、ファイアウォールに遮られていませんか？',
  'The certificate was rejected, or the port does not serve HTTPS.':
    '証明書が受け入れられなかったか、このポートは HTTPS に対応していません。',
  'For a private certificate authority, set NODE_EXTRA_CA_CERTS.':
    'プライベート認証局を使用している場合は、NODE_EXTRA_CA_CERTS を設定してください。',
  'The connection broke: try again later.':
    '接続 (connection) が切断されました。しばらくしてから再試行してください。',
  '`fetch` blocks this port': 'このポートは `fetch` でブロックされます。',
  'See the Fetch standard.': 'Fetch 標準を参照してください。',
  'Can the host be reached from here?': 'ここからホスト (host) に接続できますか？',
  'The key is missing or wrong: check {variable}, sent as {header}.':
    'API キーがないか、正しくありません。{variable} を確認してください (送信ヘッダー: {header})。',
  '{service} expects {header}: set {option} ({variable}).':
    '{service} のヘッダーは {header} です。{option} ({variable}) を設定してください。',
  'Any other header: set `apiKeyHeader` (LUID_API_KEY_HEADER).':
    'その他のヘッダーの場合は、`apiKeyHeader` (LUID_API_KEY_HEADER) を設定してください。',
  'The key has no access to {place}: check its target spaces in the space’s settings.':
    'API キーには {place} へのアクセス権がありません。スペース設定で、キーの対象スペースを確認してください。',
  'Check the id.': 'ID を確認してください。',
  'Is the content archived, or a draft that the key cannot see?':
    'コンテンツがアーカイブされているか、API キーで取得できない下書きではありませんか？',
  'Does `baseUrl` (LUID_BASE_URL) end with the version segment, as in {example}?':
    '`baseUrl` (LUID_BASE_URL) は、{example} のようにバージョンで終わっていますか？',
  'Did a proxy or a login page respond?': 'プロキシ (proxy) やログインページがレスポンスを返していませんか？',
  'All users of a key share one limit: send fewer requests, or use several keys.':
    'リクエスト数の上限 (limit) は、同じ API キーの利用者全員で共有されます。リクエストを減らすか、複数のキーを使用してください。',
  'The service failed: try again later.':
    'サービス (service) でエラーが発生しました。しばらくしてから再試行してください。',
  'The service redirects to {url}: set `baseUrl` to it.':
    'サービスは {url} にリダイレクトしています。`baseUrl` にこの URL を設定してください。',

  // Content
  '{n} {_} cannot be loaded:': '{n} 件のコレクションを読み込めません (cannot be loaded):',
  'and {n} more fields': 'ほか {n} フィールド',
  '{n} items ({cause})': '{n} 件 ({cause})',
  '{n} item ({cause})': '{n} 件 ({cause})',
  'looks like {type}': '推定: {type}',
  '{n} {_} not match the declared models:': '{n} 件が、宣言されたモデル (models) と一致しません:',
  'Run `npx luid check` to compare the models with the content.':
    '`npx luid check` を実行すると、モデルとコンテンツを比較できます。',
  'Set `onInvalid: "skip"` to skip such entries.':
    '`onInvalid: "skip"` を設定すると、このようなエントリーをスキップします。',
  'required, but empty: fill it in, or remove `required` from the field':
    '必須 (required) ですが、空です。値を入力するか、フィールドから `required` を削除してください。',
  'expected {type}, found {value}: correct the entry, or the field in the model map':
    '値が想定と異なります (expected {type}, found {value})。エントリーか、モデルマップのフィールドを修正してください。',
  '{n} {_} skipped.': '{n} エントリーをスキップしました (skipped)。',
  '{n} {_} used by several items:': '{n} 個の ID (id) が、複数のコンテンツで使用されています:',
  'Make the field unique, or choose another `id` for the loader.':
    'フィールドの値を一意にするか、ローダーの `id` に別のフィールドを指定してください。',
  'Correct the entry, or choose another `id` for the loader.':
    'エントリーを修正するか、ローダーの `id` に別のフィールドを指定してください。',
  '{n} {_} to content of an undeclared model{_} and {_} empty (the field is declared as a reference to {models}).':
    '{n} 件の参照が、宣言されていないモデルのコンテンツを指しているため、空になります (フィールドは {models} への参照として宣言されています)。',
  '{n} {_} to content of an undeclared model{_} and {consequence}.':
    '{n} 件の参照が、宣言されていないモデル (undeclared model) のコンテンツを指しています ({consequence})。',
  'Example: {example}.': '例 (example): {example}。',
  'Declare its model in `models`{_}, or run `npx luid check`':
    'そのモデルを `models` で宣言し、必要であれば参照にも追加するか、`npx luid check` を実行してください。',
  '{model} has undeclared fields: {fields} ({consequence})':
    'モデル {model} に、宣言されていないフィールドがあります: {fields} ({consequence})。',
  'they pass through untyped': '型なし (untyped) でそのまま渡されます',
  '{model} declares {fields}, which no item has: is the LUID right?':
    'モデル {model} で宣言された {fields} は、どのコンテンツにもありません。LUID は正しいですか？',

  'No assets URL: set LUID_ASSETS_URL or `assetsUrl`, so that Astro may use images from it.':
    '画像の URL が設定されていません (No assets URL)。Astro で画像を使用するには、LUID_ASSETS_URL か `assetsUrl` を設定してください。',
  'Images have no dimensions{rest}, because the URL of the media is not known: set LUID_ASSETS_URL':
    '画像の URL が不明なため、画像の寸法を取得できません (no dimensions{rest})。LUID_ASSETS_URL を設定してください。',
  '{n} {_} no {fact}; the next build retries those that could not be reached:':
    '{n} 件の画像を読み取れません (no {fact})。接続できなかった画像は、次のビルドで再試行します:',

  // The cache
  'There is cached content: `LUID_OFFLINE=1` builds with it once, `onError: "stale"` whenever the service is unavailable.':
    'キャッシュされたコンテンツがあります。`LUID_OFFLINE=1` を設定すると一度だけ、`onError: "stale"` を設定するとサービスを利用できないときに毎回、それを使ってビルドします。',
  'Service unavailable; using cached content ({age})':
    'サービスを利用できないため (service unavailable)、キャッシュされたコンテンツを使用します ({age})。',
  'offline (LUID_OFFLINE): using cached {content}, at most {age}':
    'オフライン (LUID_OFFLINE): キャッシュされた {content} を使用します (最大 {age})。',
  '{reason}, but the cache does not contain all models in this language':
    '{reason}: この言語のすべてのモデルがキャッシュ (cache) にあるわけではありません。',
  'Build once while the service is available, and do not set `cache` to `false`.':
    'サービスを利用できるときに一度ビルドしてください。また、`cache` を `false` に設定しないでください。',
  'Part of the cache is damaged; fetching everything again':
    'キャッシュ (cache) の一部が破損しているため、すべて取得し直します。',
  'Cannot read the cache; fetching everything: {rest}':
    'キャッシュ (cache) を読み込めないため、すべて取得します: {rest}',
  'Cannot write the cache; the next build starts from the previous one: {rest}':
    'キャッシュ (cache) に書き込めません。次回のビルドは、前回のキャッシュから始まります: {rest}',
  'LUID_OFFLINE is set, so no requests are made':
    'LUID_OFFLINE が設定されているため、リクエストを送信しません。',
  'keeping the previous content. {rest}': '前回のコンテンツ (previous content) を維持します。{rest}',

  // Drafts
  'LUID_API_KEY (`apiKey`) and LUID_DRAFT_API_KEY (`draftApiKey`) are the same key, which reads drafts: published pages may contain them.':
    'LUID_API_KEY (`apiKey`) と LUID_DRAFT_API_KEY (`draftApiKey`) が、下書きを取得できる同じキーです。公開ページに下書きが含まれる可能性があります。',
  'This build shows drafts in {collections}: their loaders have `drafts: true`.':
    'このビルドでは {collections} に下書きが表示されます (ローダーに `drafts: true` が設定されています)。',

  ...COMMANDS,
};
