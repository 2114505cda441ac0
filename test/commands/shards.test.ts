import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { forecast } from '../../src/engine/index.ts'
import { runTabcast, type Ended } from '../support/command.ts'
import { options, spec } from '../support/engine-input.ts'
import { panelCsv } from '../support/service.ts'

const shardSeconds = 0.02
const env = { TABCAST_SHARD_SECONDS: String(shardSeconds), TABCAST_SLOT_THREADS: '1' }
const files = ['forecast.parquet', 'forecast.csv', 'report.json', 'findings.json']

t.test('a forecast in shards by three commands', async (t) => {
  const folder = t.testdir({ 'sales.csv': panelCsv(30, 48) })
  const [file, plan, parts, whole] = ['sales.csv', 'plan', 'parts', 'whole'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string
  ]
  const run = async (...args: string[]): Promise<Ended> => await runTabcast(args, env)
  const shard = async (number: number): Promise<Ended> =>
    await run('shard', '--plan', join(plan, 'plan.bin'), '--shard', join(plan, `series-${number}.bin`), '--out',
      join(parts, String(number)))
  const joinParts = async (): Promise<Ended> =>
    await run('join', '--plan', join(plan, 'plan.bin'), '--parts', parts, '--out', whole)

  const planned = await run('plan', file, '--out', plan, '--horizon', '6', '--quantiles', '0.1,0.9')
  t.equal(planned.status, 0, planned.stderr)
  const rows = readdirSync(plan).filter((name) => name.startsWith('series-'))
  t.equal(rows.length, 2)
  t.match(planned.stdout, /^2 shards: .*series-0\.bin to series-1\.bin, of .*plan\.bin$/m)
  t.match(await run('plan', file, '--out', plan), { status: 64, stderr: /the folder is not empty/ })

  t.match(await shard(1), { status: 0, stdout: /parts\/1: 15 series$/m })
  t.match(await joinParts(), { status: 64, stderr: /the part 0 is missing/ })
  t.match(await shard(0), { status: 0 })
  t.match(await shard(0), { status: 0, stdout: /parts\/0: done before$/m })
  const joined = await joinParts()
  t.match(joined, { status: 0, stdout: /forecast\.parquet: 180 rows of 30 series$/m }, joined.stderr)

  const expected = join(folder, 'expected')
  await mkdir(expected)
  await forecast({
    ...options(panelCsv(30, 48), {
      spec: { ...spec, predictionLength: 6, preset: 'balanced', quantileLevels: [0.1, 0.9] }
    }),
    parquetPath: join(expected, 'forecast.parquet'),
    csvPath: join(expected, 'forecast.csv'),
    reportPath: join(expected, 'report.json'),
    findingsPath: join(expected, 'findings.json'),
    shardSeconds
  })
  for (const name of files) {
    t.ok(readFileSync(join(whole, name)).equals(readFileSync(join(expected, name))), `${name} is that of one process`)
  }

  // Files that do not belong together end with the reason, and leave no part that looks complete.
  const other = join(folder, 'other')
  t.match(await run('plan', file, '--out', other, '--horizon', '7'), { status: 0 })
  const mixed = await run('shard', '--plan', join(other, 'plan.bin'), '--shard', join(plan, 'series-0.bin'), '--out',
    join(folder, 'mixed'))
  t.match(mixed, { status: 1, stderr: /the rows are those of another plan/ })
  t.notOk(existsSync(join(folder, 'mixed', 'part.bin')))
  const part = readFileSync(join(parts, '0', 'part.bin'))
  part[60] = (part[60] ?? 0) ^ 1
  writeFileSync(join(parts, '0', 'part.bin'), part)
  t.match(await joinParts(), { status: 1, stderr: /part\.bin is damaged/ })
  rmSync(join(parts, '1'), { recursive: true })
  t.match(await joinParts(), { status: 1, stderr: /1 parts of a plan with 2 shards/ })
})

t.test('few series are forecast by the plan itself', async (t) => {
  const folder = t.testdir({ 'sales.csv': panelCsv(2, 48) })
  const out = join(folder, 'plan')
  const { status, stdout, stderr } = await runTabcast(['plan', join(folder, 'sales.csv'), '--out', out, '--preset',
    'fast'])
  t.equal(status, 0, stderr)
  t.match(stdout, /^1 shard, which is done: .*forecast\.parquet$/m)
  t.strictSame(readdirSync(out).sort(), [...files].sort())
})

t.test('wrong use of the commands says what is wrong', async (t) => {
  const folder = t.testdir({ 'sales.csv': panelCsv(2, 48), 'notes.txt': 'x' })
  const file = join(folder, 'sales.csv')
  const out = join(folder, 'out')
  const wrong: Array<[string[], RegExp]> = [
    [['plan', file], /--out is missing/],
    [['plan', '--out', out], /plan takes one file/],
    [['plan', file, '--out', out, '--horizon', 'x'], /--horizon x: /],
    [['plan', file, '--out', out, '--freq', 'fortnight'], /freq: .*pandas frequency alias/],
    [['plan', file, '--out', out, '--missing', 'zero'], /no option --missing/],
    [['shard', '--out', out], /--plan is missing/],
    [['join', '--plan', file, '--parts', folder, '--out', out], /the part 0 is missing/]
  ]
  for (const [args, reason] of wrong) t.match(await runTabcast(args), { status: 64, stderr: reason }, args.join(' '))
  t.match(await runTabcast(['plan', join(folder, 'none.csv'), '--out', out]), { status: 1, stderr: /none\.csv/ })
  t.match(await runTabcast(['plan', join(folder, 'notes.txt'), '--out', out]), { status: 1, stderr: /not taken/ })
})
