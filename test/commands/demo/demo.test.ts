import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { loadIndustries } from '../../../src/commands/demo/industries.ts'
import { readColumn, splitRow } from '../../../src/commands/forecast-table.ts'
import { sparkline } from '../../../src/commands/sparkline.ts'
import { launcher } from '../../support/command.ts'

t.test('the demo forecasts 14 industries through the whole service and stops it again', async (t) => {
  const [program, ...first] = launcher
  const { stdout } = await promisify(execFile)(program, [...first, process.execPath,
    resolve('dist/commands/demo/main.js')], { timeout: 120_000 })
  t.match(stdout, /item_id +timestamp +mean +0\.1 /)
  t.equal(stdout.split('\n').filter((line) => /[▁-█]+│[▁-█]{12}/.test(line)).length, 14,
    'a sparkline for each industry')
  t.match(stdout, /total +\d+\.\d{3} s/, 'the stages of the job')
  t.match(stdout, /curl .*\/download\?format=csv/)
})

t.test('the data set is 14 monthly series without gaps', async (t) => {
  const { csv, history } = loadIndustries()
  t.equal(history.size, 14)
  t.strictSame(new Set([...history.values()].map((values) => values.length)).size, 1)
  const lines = csv.trimEnd().split('\n')
  t.equal(lines[0], 'item_id,timestamp,target')
  t.equal(lines.length - 1, [...history.values()].flat().length)
  t.ok(lines.every((line) => splitRow(line).length === 3))
})

t.test('a forecast column is read by series, quoted names included', async (t) => {
  const table = 'item_id,timestamp,mean,0.5\n"Wholesale, ""Retail""",2010-03-01,10.5,10\n"Wholesale, ' +
    '""Retail""",2010-04-01,11,10\nMining,2010-03-01,1e2,\n'
  t.strictSame(readColumn(table, 'mean'), new Map([['Wholesale, "Retail"', [10.5, 11]], ['Mining', [100]]]))
  t.throws(() => readColumn(table, 'median'), /no column median/)
})

t.test('a sparkline shows history and forecast on one scale', async (t) => {
  t.equal(sparkline([0, 7], [3.5, 7]), '▁█│▅█')
  t.equal(sparkline([5, 5], [5]), '▁▁│▁', 'a constant series is a low line')
})
