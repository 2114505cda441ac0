import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { badInputsTable, testsOfRows, unmatched } from '../../bench/readme/bad-input-tests.ts'
import { badInputs } from '../../bench/readme/bad-inputs.ts'
import { fillSections } from '../../bench/readme/markdown.ts'

t.test("each of the 64 bad inputs has a test, and each number in a test's name a bad input", async (t) => {
  t.equal(badInputs.length, 64)
  t.strictSame(unmatched(testsOfRows('test')), [])
})

t.test('the table of bad inputs names the tests that there are', async (t) => {
  const page = readFileSync('test/hostile/README.md', 'utf8')
  t.equal(fillSections(page, new Map([['bad-inputs', badInputsTable(testsOfRows('test'))]])), page,
    '`make docs` regenerates it')
})

t.test('a row without a test, and a test without a row, are found', async (t) => {
  const folder = t.testdir()
  writeFileSync(join(folder, 'a.test.ts'), [
    "t.test('1, 2: one', async (t) => {})",
    '  await t.test(`3: it\\`s`, { skip: false }, async (t) => {})',
    "t.test('99: none', async (t) => {})",
    "// t.test('4: not run', async (t) => {})",
    "t.test('row 5: of another table', async (t) => {})"
  ].join('\n'))
  const tests = testsOfRows(folder)
  t.match(tests, [{ title: 'one', rows: [1, 2] }, { title: 'it`s', rows: [3] }, { title: 'none', rows: [99] }])
  const found = unmatched(tests)
  t.equal(found.length, 64 - 3 + 1)
  t.match(found.at(-1), /a\.test\.ts: there is no such row: none/)
})
