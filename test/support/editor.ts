import { join } from 'node:path';
import ts from 'typescript';

const TEST = join(import.meta.dirname, '..');
const FILE = join(TEST, 'open-file.ts');

/** What an editor shows of a program, which imports the package as `astro-luid`. */
export interface Editor {
  /** The whole text of each error. */
  errors(source: string): string[];
  /** The tooltip of the name that ends at `|`. */
  hover(source: string): string;
  /** The completions at `|`. */
  completions(source: string): string[];
}

/** One for all programs of a test file: what they import is read once. */
export function openEditor(): Editor {
  const { config } = ts.readConfigFile(join(TEST, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, TEST, {}, join(TEST, 'tsconfig.json'));
  let [text, version] = ['', 0];
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [FILE],
    getScriptVersion: (name) => (name === FILE ? String(version) : '0'),
    getScriptSnapshot: (name) => {
      const read = name === FILE ? text : ts.sys.readFile(name);
      return read === undefined ? undefined : ts.ScriptSnapshot.fromString(read);
    },
    getCurrentDirectory: () => TEST,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === FILE || ts.sys.fileExists(name),
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });

  /** Opens a program, and returns the position of its cursor. */
  function open(source: string): number {
    const cursor = source.indexOf('|');
    text = cursor < 0 ? source : source.slice(0, cursor) + source.slice(cursor + 1);
    version++;
    return cursor;
  }

  return {
    errors(source) {
      version++;
      text = source;
      return service
        .getSemanticDiagnostics(FILE)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
    hover(source) {
      const info = service.getQuickInfoAtPosition(FILE, open(source) - 1);
      return ts.displayPartsToString(info?.displayParts);
    },
    completions(source) {
      const found = service.getCompletionsAtPosition(FILE, open(source), {});
      return found?.entries.map(({ name }) => name) ?? [];
    },
  };
}
