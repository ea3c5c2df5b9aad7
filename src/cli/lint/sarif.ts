import { RULES } from '../../entries/lint/lint.ts';
import { describeItem } from '../../entries/problems/describe-item.ts';
import { PACKAGE_VERSION } from '../../shared/package-version.ts';
import { printable } from '../../shared/printable.ts';
import type { LintReport } from './lint-report.ts';

/**
 * The findings as SARIF 2.1.0. Content has no file, but code scanning accepts no result without one: so each names the
 * file that defines the space, and the item and field as its logical location.
 */
export function sarifLog({ findings }: LintReport, spaceFile: string): object {
  const artifactLocation = { uri: encodeURI(spaceFile.replaceAll('\\', '/')), uriBaseId: '%SRCROOT%' };
  const physicalLocation = { artifactLocation, region: { startLine: 1 } };
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'luid lint',
            version: PACKAGE_VERSION,
            rules: RULES.map(({ name, severity, about, fix }) => ({
              id: name,
              shortDescription: { text: about },
              help: { text: fix },
              defaultConfiguration: { level: severity },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map(({ rule, severity, id, model, lang, title, field, message, fix, url }) => {
          const place = [model, id, lang, field].filter(Boolean).join('/');
          const name = describeItem({ _id: id, _model: model, _title: title });
          const text = [`${[name, field].filter(Boolean).join(', ')}: ${message}.`, fix, url].filter(Boolean);
          return {
            ruleId: rule,
            ruleIndex: RULES.findIndex((one) => one.name === rule),
            level: severity,
            message: { text: plainMessage(text.join(' ')) },
            locations: [
              {
                physicalLocation,
                logicalLocations: [{ name: String(id), fullyQualifiedName: place, kind: 'object' }],
              },
            ],
            partialFingerprints: { 'luid/v1': `${rule}/${place}/${message}` },
          };
        }),
      },
    ],
  };
}

/** In messages of SARIF, brackets are links and braces are placeholders. */
function plainMessage(text: string): string {
  return printable(text)
    .replaceAll(/[[\]\\]/g, '\\$&')
    .replaceAll(/[{}]/g, '$&$&');
}
