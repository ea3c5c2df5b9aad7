/** What commands print, with translations. */
export const COMMANDS: Readonly<Record<string, string>> = {
  // Prompts of init
  'Which service?': 'どのサービスを使用しますか？',
  'Another URL, such as that of the emulator': 'その他の URL (エミュレーターなど)',
  'URL of the service, including the version segment': 'サービスの URL (バージョンを含む)',
  'URL of the service': 'サービスの URL',
  'Enter a URL such as {example}, without user name, password or query':
    '{example} のような URL を入力してください (ユーザー名、パスワード、クエリは含めません)',
  'API key (from the settings of the space)': 'API キー (スペース設定で取得できます)',
  'An API key is required': 'API キーを入力してください',
  'Which models does the site use?': 'サイトで使用するモデルを選択してください',
  '{path} exists and differs': '{path} はすでに存在し、内容が異なります',
  'Apply this change to {path}?': '{path} にこの変更を適用しますか？',
  'Write {paths}?': '{paths} を書き込みますか？',
  Yes: 'はい',
  No: 'いいえ',
  'Add only what is new': '新しいものだけを追加する',
  'Keep the existing file': '既存のファイルを残す',
  'Write {path} to compare': '比較用に {path} を作成する',
  'Replace the existing file': '既存のファイルを置き換える',

  // Steps of init and check
  'connecting to {url}': '{url} に接続しています',
  'finding the models': 'モデルを検出しています',
  'inspecting {models}': '{models} を調べています',
  'resolving references': '参照を解決しています',
  'detecting the types of string fields': '文字列フィールドの種類を判別しています',
  'waiting before the next request (rate limit, or the service does not respond)':
    '次のリクエストまで待機しています (rate limit、またはサービスの応答待ち)',
  'The key is accepted as {header}.': 'API キーは {header} として受け付けられました。',
  'The version segment is missing: {url} responds.':
    'URL にバージョンがありません。{url} からはレスポンスがありました。',
  '--api-key or LUID_API_KEY': '--api-key または LUID_API_KEY',
  'Pass it as --base-url or LUID_BASE_URL.': '--base-url または LUID_BASE_URL で指定してください。',

  // Results of init
  'Languages: {langs} (the first is the main language)': '言語: {langs} (最初の言語がメイン言語です)',
  'Spaces: {spaces} (--sub-space LUID selects one)': 'スペース: {spaces} (--sub-space LUID で選択できます)',
  'Only {inspected} of {total} items were searched for models: models with few items may be missing.':
    'モデルの検出に使用したコンテンツは {total} 件中 {inspected} 件です。コンテンツの少ないモデル (models) が見つかっていない可能性があります。',
  'Pass all models that you use as --models a,b.': '使用するモデルをすべて --models a,b で指定してください。',
  'This key reads drafts.': 'この API キーは下書き (drafts) を取得できます。',
  'As LUID_API_KEY it would publish them in every build.':
    'LUID_API_KEY に設定すると、ビルドのたびに下書きが公開されます。',
  'Use a published-only key as LUID_API_KEY, and this one as LUID_DRAFT_API_KEY.':
    'LUID_API_KEY には公開コンテンツのみを取得できるキーを、LUID_DRAFT_API_KEY にはこのキーを設定してください。',
  'Review these in {path}: the comments give the reasons.':
    '{path} で確認してください。理由はコメントに書かれています。',
  model: 'モデル',
  items: '件数',
  inspected: '調査済み',
  compared: '比較済み',
  fields: 'フィールド',
  uncertain: '要確認',
  'uncertain {model}: {fields}': '要確認 {model}: {fields}',
  proposed: '提案',
  'proposed {models}: {proposal}': '提案 {models}: {proposal}',
  'entry ids from {field} (unique, safe in URLs){rest}':
    'エントリーの ID に {field} を使用 (一意で、URL に使用可能){rest}',
  ', one entry per language ({langs})': '、言語ごとに 1 エントリー ({langs})',
  'one entry per language ({langs})': '言語ごとに 1 エントリー ({langs})',
  'Nothing was written.': '何も書き込まれていません。',
  'wrote {path} (added {what})': '作成 {path} ({what} を追加)',
  'wrote {path}': '作成 {path}',
  wrote: '作成',
  '{path} differs and was kept; pass --yes --force to replace it.':
    '{path} は内容が異なるため、そのまま残しました。置き換えるには --yes --force を指定してください。',
  'Nothing to do: everything is up to date.': '変更はありません。すべて最新です。',
  'git does not ignore .env, which contains the API key: add it to .gitignore before you commit.':
    'API キーを含む .env が git の管理対象になっています。コミットする前に .gitignore に追加してください。',
  '{name} has a different value in {where}, which takes precedence over .env: {fix}.':
    '{where} では {name} に別の値が設定されており、.env より優先されます。{fix}。',
  'change it there': 'そちらを変更してください',
  'unset it': '設定を解除してください',
  'Next:': '次のステップ:',
  'A page per entry, for example as {path}:': 'エントリーごとのページの例 ({path}):',
  'No collections were added: {path} cannot be analysed without running it.':
    'コレクションは追加されませんでした。{path} は実行せずに解析できません (collections)。',
  'No pages were created, because the folder is not empty: it has {names}.':
    'フォルダーが空ではないため、ページ (pages) は作成されませんでした: {names}',

  // sync, check and watch
  'Verifying: full sync, bypassing the CDN': '検証しています (CDN を経由せずに完全に同期します)',
  'the cache matches the service': 'キャッシュはサービスの内容と一致しています',
  'updated {count} that differed from the service': 'サービスの内容と異なる {count}を更新しました',
  '{n} {_}, {list}; {requests} {_} ({cached} from the CDN){rest}':
    '{n} 件、{list}、リクエスト {requests} 回 (CDN から {cached} 回){rest}',
  '{n} entries, {list}': '{n} エントリー、{list}',
  '{n} entry, {list}': '{n} エントリー、{list}',
  '{n} added': '追加 {n}',
  '{n} changed': '変更 {n}',
  '{n} removed': '削除 {n}',
  'none changed': '変更なし',
  '{n} items': '{n} 件',
  '{n} item': '{n} 件',
  'The declared models match the content.': '宣言されたモデルはコンテンツと一致しています。',
  'The key reads drafts: {count}{rest}.': 'API キーは下書きも取得できます: {count}{rest}。',
  'The key reads published content (no drafts found): {count}{rest}.':
    'API キーは公開コンテンツを取得できます (下書きは見つかりませんでした): {count}{rest}。',
  'Undeclared models: {models}.': '宣言されていないモデル: {models}。',
  'Watching for changes; will call {hook}': '変更を監視しています。変更があると {hook} を呼び出します',
  'Content has changed': 'コンテンツが変更されました',
  'Called {hook}': '{hook} を呼び出しました',
  'Nothing to do: no change since the last deploy': '前回のデプロイから変更はありません',
  'Listening for events on port {port}: POST /_luid/refresh':
    'ポート {port} でイベントを待っています: POST /_luid/refresh',
  'Checking for changes works again': '変更の確認が再びできるようになりました',
  'Will retry.': '再試行します。',
};
