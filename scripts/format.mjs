// Lays out the TypeScript and JavaScript of this project at 120 characters: `node scripts/format.mjs` writes,
// `node scripts/format.mjs --check` names the files that it would change, and fails.
// dprint's WebAssembly is run from here: its command comes as a binary for each platform, and this needs none.
import { createContext } from '@dprint/formatter'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const typescript = {
  semiColons: 'asi',
  quoteStyle: 'preferSingle',
  quoteProps: 'preserve',
  useBraces: 'whenNotSingleLine',
  bracePosition: 'sameLine',
  singleBodyPosition: 'maintain',
  nextControlFlowPosition: 'sameLine',
  trailingCommas: 'never',
  operatorPosition: 'maintain',
  'conditionalExpression.operatorPosition': 'nextLine',
  'arrowFunction.useParentheses': 'maintain',
  'functionDeclaration.spaceBeforeParentheses': true,
  'functionExpression.spaceBeforeParentheses': true,
  'functionExpression.spaceAfterFunctionKeyword': true,
  'method.spaceBeforeParentheses': true,
  'constructor.spaceBeforeParentheses': true,
  'getAccessor.spaceBeforeParentheses': true,
  'setAccessor.spaceBeforeParentheses': true,
  'typeLiteral.separatorKind.singleLine': 'comma',
  preferHanging: true,
  'objectExpression.preferHanging': false,
  'objectPattern.preferHanging': false,
  'arrayExpression.preferHanging': 'always',
  'arguments.preferHanging': 'always',
  'importDeclaration.sortNamedImports': 'maintain',
  'exportDeclaration.sortNamedExports': 'maintain',
  'module.sortImportDeclarations': 'maintain',
  'module.sortExportDeclarations': 'maintain'
}

/** Generated files, and those that tests read as they are. */
const excluded =
  /^bindings\/|^src\/domain\/engine-documents\.ts$|^clients\/typescript\/src\/schema\.ts$|^test\/fixtures\//

const plugin = createRequire(import.meta.url)('@dprint/typescript').getPath()
const formatter = createContext({ lineWidth: 120, indentWidth: 2, newLineKind: 'lf' })
formatter.addPlugin(readFileSync(plugin), typescript)

const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.ts', '*.mts', '*.mjs', '*.js']
const files = execFileSync('git', list, { encoding: 'utf8' }).split('\0').filter(file => file !== '')
let different = 0
for (const file of new Set(files)) {
  if (excluded.test(file) || !existsSync(file)) continue
  const text = readFileSync(file, 'utf8')
  const formatted = formatter.formatText({ filePath: file, fileText: text })
  if (formatted === text) continue
  different++
  if (process.argv.includes('--check')) console.error(`${file} is not laid out as \`make fmt\` does it`)
  else writeFileSync(file, formatted)
}
if (process.argv.includes('--check') && different > 0) process.exitCode = 1
