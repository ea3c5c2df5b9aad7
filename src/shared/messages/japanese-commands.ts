/** What commands print, with translations. */
export const COMMANDS: Readonly<Record<string, string>> = {
  // Arguments
  '{problem} (see luid {command} --help)': '{problem} (詳細: luid {command} --help)',
  'unknown command {name}': '{name} というコマンドはありません (unknown command)。',
  'unexpected argument {value}': '{value} は指定できません (unexpected argument)。',
  '{option} requires a value': '{option} には値が必要です。',
  '{option} cannot be combined with {other}': '{option} は {other} と同時に指定できません。',
  '{option} is required (or set {variable})': '{option} を指定してください (または {variable} を設定)。',
  '{argument} is missing: {about}': '{argument} がありません: {about}',
  'where the export is, or will be': 'エクスポート先',
  'the export': 'エクスポート',
  'no terminal for prompts: pass --yes, --service or --base-url, and --api-key':
    '端末がないため入力できません。--yes、--service または --base-url、--api-key を指定してください。',
  'no hook: pass --hook URL, --host github, --exec or --refresh, or set LUID_HOOK':
    'フックがありません。--hook URL、--host github、--exec、--refresh のいずれかを指定するか、LUID_HOOK を設定してください。',

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
  'Pass it as --base-url or LUID_BASE_URL.': '--base-url または LUID_BASE_URL で指定してください。',

  // Results of init
  'Languages: {langs} (the first is the main language)': '言語: {langs} (最初の言語がメイン言語です)',
  'Languages: {langs}.': '言語: {langs}。',
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
    'API キーを含む .env が .gitignore に指定されていません。コミットする前に追加してください。',
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

  '{rest}compared with the content:': '{rest}とコンテンツの比較:',
  '{place}: declared as {declared}, but not found in the content':
    '{place}: 宣言は {declared}、コンテンツにはありません',
  '{place}: declared as {declared}, content shows {found}':
    '{place}: 宣言は {declared}、コンテンツは {found}',
  'a model': 'モデル',
  '{place}: new, {found}': '{place}: 追加、{found}',
  'It was not changed. Add': '変更していません。追加してください',
  'Could not run git to check that .env is ignored: check before you commit.':
    'git を実行できないため、.env が .gitignore に指定されているかわかりません。コミットする前に確認してください。',

  // sync, check and watch
  'Verifying: full sync, bypassing the CDN': '検証しています (CDN を経由せずに完全に同期します)',
  'the cache matches the service': 'キャッシュはサービスの内容と一致しています',
  'Verified{_} {lang}: {rest}': '検証済み ({lang}): {rest}',
  'Verified: {rest}': '検証済み: {rest}',
  'updated {count} that differed from the service': 'サービスの内容と異なる {count}を更新しました',
  '{n} {_}, {list}; {requests} {_} ({cached} from the CDN){rest}':
    '{n} 件、{list}、リクエスト {requests} 回 (CDN から {cached} 回){rest}',
  '{n} entries, {list}': '{n} エントリー、{list}',
  '{n} entry, {list}': '{n} エントリー、{list}',
  '{n} added': '追加 {n}',
  '{n} changed': '変更 {n}',
  '{n} removed': '削除 {n}',
  'none changed': '変更なし',
  ', {n} {_}, {seconds} s waited': '、再試行 {n} 回、待機 {seconds} 秒',
  ', {seconds} s waited': '、待機 {seconds} 秒',
  ', {n} retry': '、再試行 {n} 回',
  ', {n} retries': '、再試行 {n} 回',
  '{n} of {total} items ({percent} %), {rate} per second, about {left} s left':
    '{total} 件中 {n} 件 ({percent} %)、毎秒 {rate} 件、残り約 {left} 秒',
  'Read the {_} of {n} of {total} images ({percent} %)':
    '画像を読み取っています: {total} 件中 {n} 件 ({percent} %)',
  'Read the {_} of {n} {_}': '{n} 件の画像を読み取りました',
  '{n} s old': '{n} 秒前',
  '{n} min old': '{n} 分前',
  '{n} h old': '{n} 時間前',
  '{n} d old': '{n} 日前',
  'of unknown age': '時期不明',
  '{n} items in {spaces}': '{n} 件 (スペース: {spaces})',
  '{n} item in {spaces}': '{n} 件 (スペース: {spaces})',
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
  'the command': 'コマンド',
  'the hook at {host}': '{host} のフック',
  'the site at {host}': '{host} のサイト',
  'The command exited with {code}': 'コマンドが {code} で終了しました',
  'See its output above.': '上の出力を確認してください。',
  'No earlier deploy known: --fire-first calls the hook':
    '前回のデプロイが不明なため、フックを呼び出します (--fire-first)',
  'No earlier deploy known: assuming that the current content is deployed (--fire-first calls the hook instead)':
    '前回のデプロイが不明なため、現在のコンテンツがデプロイ済みとみなします (--fire-first を指定するとフックを呼び出します)',
  'No earlier deploy known (--if-changed would call the hook only after a change)':
    '前回のデプロイは不明です (--if-changed を指定すると、変更があった場合だけフックを呼び出します)',
  'Nothing to do: no change since the last deploy': '前回のデプロイから変更はありません',
  'Listening for events on port {port}: POST /_luid/refresh':
    'ポート {port} でイベントを待っています: POST /_luid/refresh',
  'Checking for changes works again': '変更の確認が再びできるようになりました',
  'Will retry.': '再試行します。',

  // export and emulator
  'Exported{_} {folder}: {items}, {n} {_}; {changes}':
    '{folder} にエクスポートしました: {items}、メディア {n} 件、{changes}',
  'Incomplete export{_} {folder}: {items}, {n} {_}; {changes}':
    '{folder} へのエクスポートは不完全です: {items}、メディア {n} 件、{changes}',
  '{n} {_} written, {removed} removed, {downloaded} downloaded':
    '書き込み {n}、削除 {removed}、ダウンロード {downloaded}',
  'Serving {source}.': '{source}を配信しています。',
  'the bundled sample': '付属のサンプル',
  'the data file {path}': 'データファイル {path} ',
  Keys: 'API キー',
  'Studio {url}': 'スタジオ {url}',
  '{key}reads {what}, may write, {spaces}': '{key}{what}の取得、書き込み、{spaces}',
  'published content': '公開コンテンツ',
  'published content and drafts': '公開コンテンツと下書き',
  'all spaces': 'すべてのスペース',
  'spaces: {spaces}': 'スペース: {spaces}',
  'Next: copy these lines into the .env file of your site and run `npx astro dev`.':
    '次のステップ: 上の行をサイトの .env にコピーして、`npx astro dev` を実行してください。',
  'In an empty folder, `npx astro-luid init` creates a site from them.':
    '空のフォルダーでは、`npx astro-luid init` でサイトを作成できます。',
  'Ctrl-C stops the emulator.': 'Ctrl-C でエミュレーターを終了します。',
  'The port changes at each start; pass --port 4010 to keep it.':
    'ポートは起動するたびに変わります。固定するには --port 4010 を指定してください。',

  // Shortened lists
  '{names}, and {n} more': '{names} ほか {n} 件',
  '{names} and {n} more': '{names} ほか {n} 件',
  'and {n} more': 'ほか {n} 件',
};
