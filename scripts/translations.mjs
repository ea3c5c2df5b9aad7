// npm run translations: lists the Japanese documents whose English has changed since they were translated.
// npm run translations -- FILE …: marks these as translations of the English of today.
import { findTranslations, markTranslation } from './docs/translations.mjs';

for (const document of process.argv.slice(3)) markTranslation(document);
const lagging = findTranslations().filter(({ lags }) => lags);
for (const { document, source } of lagging) console.log(`${document} lags behind ${source}`);
if (lagging.length === 0) console.log('All translations are of the English of today.');
