import regexp from 'eslint-plugin-regexp'
import neostandard from 'neostandard'
import tseslint from 'typescript-eslint'

/** Literals that cannot be broken without harm are excepted. */
const width = { code: 120, ignoreRegExpLiterals: true, ignoreTemplateLiterals: true, ignoreUrls: true }

export default [
  {
    ignores: ['dist/', 'node_modules/', 'bindings/', 'target/', '.tap/', '.tools/', '.cache/', 'dist-package/', 'data/',
      'clients/*/dist/', 'clients/typescript/src/schema.ts']
  },
  // dprint decides the layout.
  ...neostandard({ ts: true, noStyle: true }),
  { rules: { 'max-len': ['error', width] } },
  {
    files: ['**/*.ts'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname }
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      // `void` marks a promise that handles its own failure.
      'no-void': ['error', { allowAsStatement: true }],
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }]
    }
  },
  {
    // The time of an expression must not grow with the square of what a caller sends. 64 KiB once blocked the api for
    // 4 seconds.
    files: ['src/**/*.ts'],
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': 'error', 'regexp/no-super-linear-move': 'error' }
  },
  {
    // A method that is taken out of its object has no `this`, and the compiler does not tell.
    files: ['src/**/*.ts'],
    rules: { '@typescript-eslint/unbound-method': ['error', { ignoreStatic: true }] }
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }]
    }
  },
  {
    // Generated.
    files: ['src/domain/engine-documents.ts'],
    rules: { 'max-lines': 'off' }
  },
  {
    // tap runs subtests in their order and fails the parent when one is left unfinished.
    files: ['test/**/*.ts'],
    rules: {
      // Names of tests are sentences, and stay whole.
      'max-len': ['error', { ...width, ignoreStrings: true }],
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: ['test', 'teardown'] }]
    }
  },
  {
    // lmdb's async transaction() commits what a throwing callback already wrote: invariants need transactionSync or
    // childTransaction.
    files: ['src/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', {
        selector: "CallExpression[callee.property.name='transaction']",
        message: 'A throwing transaction() does not roll back; use transactionSync or childTransaction.'
      }]
    }
  }
]
