import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Lists the exports of each entry point of the built package, with their members. */
export function publicSurface(root: string): string {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, { types?: string } | string>;
  };
  const entries = Object.entries(exports).flatMap(([name, target]) =>
    typeof target === 'object' && target.types ? [[name, join(root, target.types)] as const] : [],
  );
  const program = ts.createProgram(
    entries.map(([, file]) => file),
    {
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.NodeNext,
    },
  );
  const checker = program.getTypeChecker();
  const lines: string[] = [];
  for (const [name, file] of entries) {
    lines.push(`astro-luid${name.slice(1)}`);
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} exports nothing`);
    for (const exported of sorted(checker.getExportsOfModule(module))) {
      lines.push(`  ${describe(checker, exported)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function describe(checker: ts.TypeChecker, exported: ts.Symbol): string {
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const isValue = Boolean(symbol.flags & ts.SymbolFlags.Value);
  const type = isValue ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol);
  const calls = type.getCallSignatures().map((call) => `(${parameters(checker, call)})`);
  const members = membersOf(checker, type);
  const shape = members.length > 0 ? ` { ${members.join(', ')} }` : '';
  const instance =
    isValue && symbol.flags & ts.SymbolFlags.Class
      ? ` instance { ${membersOf(checker, checker.getDeclaredTypeOfSymbol(symbol)).join(', ')} }`
      : '';
  return `${isValue ? 'value' : 'type'} ${exported.name}${calls.join(' ')}${shape}${instance}`;
}

function parameters(checker: ts.TypeChecker, call: ts.Signature): string {
  return call.parameters
    .map((parameter) => {
      const declaration = parameter.valueDeclaration as ts.ParameterDeclaration | undefined;
      const isOptional = declaration && checker.isOptionalParameter(declaration);
      // A destructured parameter has no name.
      return `${parameter.name.startsWith('__') ? '{}' : parameter.name}${isOptional ? '?' : ''}`;
    })
    .join(', ');
}

/** The members declared by this package, without those of built-in types and of other packages. */
function membersOf(checker: ts.TypeChecker, type: ts.Type): string[] {
  const declared = checker.getPropertiesOfType(type).filter(({ declarations = [] }) =>
    declarations.some((declaration) => {
      const file = declaration.getSourceFile().fileName;
      return file.includes('/dist/') && !file.includes('/node_modules/');
    }),
  );
  return sorted(declared).map(
    (member) => `${member.name}${member.flags & ts.SymbolFlags.Optional ? '?' : ''}`,
  );
}

function sorted(symbols: readonly ts.Symbol[]): ts.Symbol[] {
  return [...symbols].sort((a, b) => (a.name < b.name ? -1 : 1));
}
