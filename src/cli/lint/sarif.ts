import { itemOf, problemOf } from '../../entries/lint/finding.ts';
import { RULES } from '../../entries/lint/lint.ts';
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
        results: findings.map((finding) => {
          const { rule, severity, id, model, lang, field, message, fix, url = '' } = finding;
          const place = [model, id, lang, field].filter(Boolean).join('/');
          const text = `${itemOf(finding)}, ${problemOf(finding)}. ${fix} ${url}`;
          return {
            ruleId: rule,
            level: severity,
            message: { text: plainMessage(text.trimEnd()) },
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
