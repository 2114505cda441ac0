import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { forecastOptions, inOptions } from '../../src/commands/forecast-options.ts'
import { ProgressLine } from '../../src/commands/progress-line.ts'
import { UsageError } from '../../src/commands/usage-error.ts'
import { launcher, runTabcast, type Ended } from '../support/command.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { Client, panelCsv, startService } from '../support/service.ts'
import { until } from '../support/until.ts'

t.test('tabcast forecast', async (t) => {
  // Files above the bound are checked by the job, so that one of them can fail.
  const service = await startService({ TABCAST_SYNC_CHECK_MAX_BYTES: '1000', TABCAST_MAX_UPLOAD_BYTES: '1000000' })
  t.teardown(() => service.cleanup())
  const key = await service.createKey('acme')
  const client = new Client(service.baseUrl, key)
  const folder = t.testdir({
    'sales.csv': panelCsv(2, 48),
    'short.csv': 'item_id,timestamp,target\na,2024-01-01,x\na,2024-02-01,2\n'
  })
  const sales = join(folder, 'sales.csv')
  const env = { TABCAST_API_KEY: key, TABCAST_URL: service.baseUrl }
  const forecast = async (...args: string[]): Promise<Ended> => await runTabcast(['forecast', ...args], env)
  const jobs = async (): Promise<string[]> =>
    (await (await client.request('GET', '/jobs')).json() as { jobs: Array<{ job_id: string }> }).jobs.map((
      { job_id: jobId }
    ) => jobId)

  await t.test('writes the forecast beside the file and draws the first series', async (t) => {
    const { status, stdout, stderr } = await forecast(sales, '--horizon', '6', '--quantiles', '0.1,0.9', '--preset',
      'fast', '--freq', 'MS')
    t.equal(status, 0, stderr)
    const table = readFileSync(join(folder, 'sales.forecast.csv'), 'utf8').trim().split('\n')
    t.equal(table[0], 'item_id,timestamp,mean,0.1,0.9')
    t.equal(table.length, 1 + 2 * 6)
    t.match(stdout, /sales\.forecast\.csv: 6 steps of 2 series, job job_/)
    t.match(stdout, /^series-0 {2}[▁-█]{48}│[▁-█]{6}$/m)
    t.match(stdout, /sales\.forecast\.report\.html: the report, for a browser\n$/, 'the last line')
    t.match(readFileSync(join(folder, 'sales.forecast.report.html'), 'utf8'), /^<!doctype html>[^]*<h1>Forecast of 2/i)
    t.match(stderr, /^upload\n/)
    t.notOk(stderr.includes('\u001B'), 'nothing is written over where there is no terminal')
    t.strictSame(readdirSync(folder).filter((name) => name.endsWith('.partial')), [])
  })

  await t.test('--missing says what a step without a row is', async (t) => {
    const days = Array.from({ length: 70 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)))
    const open = days.filter((day) => day.getUTCDay() !== 0).map((day) =>
      `shop,${day.toISOString().slice(0, 10)},${100 + day.getUTCDay()}\n`
    )
    writeFileSync(join(folder, 'open.csv'), 'item_id,timestamp,target\n' + open.join(''))
    const refused = await forecast(join(folder, 'open.csv'), '--horizon', '7')
    t.match(refused, { status: 1, stderr: /frequency/i })
    t.match(refused.stderr, /[Gg]ive --freq/)
    const { status, stderr } = await forecast(join(folder, 'open.csv'), '--horizon', '7', '--freq', 'D', '--missing',
      'zero')
    t.equal(status, 0, stderr)
    const sunday = readFileSync(join(folder, 'open.forecast.csv'), 'utf8').split('\n').find((row) =>
      row.includes('2024-03-10')
    )
    t.ok(Math.abs(Number(sunday?.split(',')[2])) < 10, String(sunday))
  })

  await t.test('what is there is not replaced without --force', async (t) => {
    const before = await jobs()
    const refused = await forecast(sales, '--horizon', '3')
    t.equal(refused.status, 1)
    t.match(refused.stderr, /sales\.forecast\.csv is there already: --force/)
    writeFileSync(join(folder, 'other.report.html'), 'mine')
    const besideReport = await forecast(sales, '--out', join(folder, 'other.csv'))
    t.match(besideReport, { status: 1, stderr: /other\.report\.html is there already: --force/ })
    t.strictSame(await jobs(), before, 'nothing was submitted')
    const { status, stderr } = await forecast(sales, '--horizon', '3', '--preset', 'fast', '--force')
    t.equal(status, 0, stderr)
    t.equal(readFileSync(join(folder, 'sales.forecast.csv'), 'utf8').trim().split('\n').length, 1 + 2 * 3)
  })

  await t.test('a job is waited for again, in other formats, with other columns', async (t) => {
    const [jobId = ''] = await jobs()
    const parquet = await forecast('--job', jobId, '--format', 'parquet', '--out', join(folder, 'again.parquet'),
      '--url', service.baseUrl + '/')
    t.equal(parquet.status, 0, parquet.stderr)
    t.equal(readFileSync(join(folder, 'again.parquet')).subarray(0, 4).toString(), 'PAR1')
    writeFileSync(join(folder, 'shop "1".csv'), panelCsv(1, 30).replace('item_id,timestamp,target', 'shop,month,sold'))
    const named = await forecast(join(folder, 'shop "1".csv'), '--item-id-column', 'shop', '--timestamp-column',
      'month', '--target-column', 'sold', '--zip', '--preset', 'fast')
    t.equal(named.status, 0, named.stderr)
    t.equal(readFileSync(join(folder, 'shop "1".forecast.zip')).subarray(0, 2).toString(), 'PK')
  })

  await t.test('refusals say what is wrong, where, and what to do', async (t) => {
    const content = await forecast(join(folder, 'short.csv'))
    t.equal(content.status, 1)
    t.match(content.stderr, /validation_error \(422\)\n {2}file\.target, row 1.*: .+/)
    t.match(content.stderr, /request \S+/)
    t.match(content.stderr, `see ${service.baseUrl}/docs/operate/troubleshooting#validation_error`)
    const field = await forecast(sales, '--horizon', '100000', '--out', join(folder, 'x.csv'))
    t.match(field, { status: 1, stderr: /\(422\)\n {2}--horizon: / })
    writeFileSync(join(folder, 'dated.csv'), 'item_id,date,target\na,2024-01-01,1\n')
    const column = await forecast(join(folder, 'dated.csv'))
    t.match(column, { status: 1, stderr: /'date'.* --timestamp-column / }, 'the option in place of the field')
    const preset = await forecast(sales, '--preset', 'slow', '--out', join(folder, 'x.csv'))
    t.match(preset, { status: 1, stderr: /invalid_preset \(400\)\n.+\n.+/ })
    const unknown = await runTabcast(['forecast', sales, '--key', 'tbc_live_none', '--url', service.baseUrl, '--out',
      join(folder, 'x.csv')])
    t.match(unknown, { status: 1, stderr: /auth_failed \(401\)/ })
    const absent = await forecast('--job', 'job_01ARZ3NDEKTSV4RRFFQ69G5FAV', '--out', join(folder, 'x.csv'))
    t.match(absent, { status: 1, stderr: /job_not_found \(404\)/ })
    writeFileSync(join(folder, 'large.csv'), 'item_id,timestamp,target\n' + 'a,2024-01-01,1\n'.repeat(2_000_000))
    const large = await forecast(join(folder, 'large.csv'), '--out', join(folder, 'x.csv'))
    t.match(large, { status: 1, stderr: /file_too_large \(413\)/ }, 'an answer before the end of the upload is read')
    t.notOk(existsSync(join(folder, 'x.csv')))
  })

  await t.test('a job that fails is a failure', async (t) => {
    writeFileSync(join(folder, 'bad.csv'), panelCsv(1, 100).replace(/,[0-9.]+\n$/, ',many\n'))
    const { status, stderr } = await forecast(join(folder, 'bad.csv'))
    t.equal(status, 1)
    t.match(stderr, /job job_\w+ failed: validation_error: .*target/)
    t.match(stderr, `see ${service.baseUrl}/docs/operate/troubleshooting#validation_error`)
    t.notOk(existsSync(join(folder, 'bad.forecast.csv')))
  })

  await t.test('a lost answer and a busy service are ridden out, with one job', async (t) => {
    const proxy = await startFaultProxy(t, service.baseUrl)
    const before = (await jobs()).length
    let submissions = 0
    let polls = 0
    proxy.inject({ kind: 'lost-answer' }, ({ method }) => method === 'POST' && submissions++ === 0)
    const args = [sales, '--preset', 'fast', '--url', proxy.endpoint, '--force']
    const lost = await forecast(...args)
    t.equal(lost.status, 0, lost.stderr)
    t.match(lost.stderr, /no connection to \S+ \(\w+\); again in /)
    t.equal(submissions, 2)
    t.equal((await jobs()).length, before + 1)
    proxy.inject({ kind: 'status', status: 503, headers: { 'retry-after': '1' } },
      ({ method }) => method === 'GET' && polls++ === 0)
    const busy = await forecast(...args)
    t.equal(busy.status, 0, busy.stderr)
    t.match(busy.stderr, /no answer of the service \(503\); again in 1\.\d s/)
  })

  await t.test('an interruption says how to go on, and the job goes on', async (t) => {
    const proxy = await startFaultProxy(t, service.baseUrl)
    proxy.inject({ kind: 'silent' }, ({ method }) => method === 'GET')
    const out = join(folder, 'interrupted.csv')
    const [program, ...first] = launcher
    const command = spawn(program, [...first, process.execPath, 'dist/cli.js', 'forecast', sales, '--preset', 'fast',
      '--url', proxy.endpoint, '--out', out], { env: { ...process.env, ...env } })
    let stderr = ''
    command.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    await until('the job to be waited for', () => proxy.requests.some((request) => request.startsWith('GET /jobs/')))
    command.kill('SIGINT')
    const [code] = await once(command, 'exit') as [number]
    t.equal(code, 130)
    const [, words = ''] = /To wait for it again:\n {2}tabcast (forecast .+)\n/.exec(stderr) ?? []
    proxy.heal()
    const again = await runTabcast(words.split(' '), env)
    t.equal(again.status, 0, again.stderr + stderr)
    t.ok(existsSync(out))
  })
})

t.test('wrong usage of tabcast forecast is told apart', async (t) => {
  const env = { TABCAST_API_KEY: 'tbc_live_none' }
  for (const args of [[], ['a.csv', 'b.csv'], ['a.csv', '--format', 'xlsx'], ['a.csv', '--zip', '--format', 'csv'], [
    'a.csv',
    '--url',
    'here'
  ], ['--job', 'job_x', '--horizon', '2']]) {
    t.throws(() => forecastOptions(args, env), UsageError, args.join(' '))
  }
  t.throws(() => forecastOptions(['a.csv'], {}), /TABCAST_API_KEY/)
  t.match(await runTabcast(['forecast', 'a.csv', '--horizn', '3'], env), {
    status: 64,
    stderr: /no option --horizn; --horizon is the nearest/
  })
  t.throws(() => forecastOptions(['a.csv', '--colour'], env), { message: /no option --colour; --help lists/ })
  t.equal((await runTabcast(['forecast'], env)).status, 64)
  t.match(await runTabcast(['forecast', '/absent/a.csv'], env), { status: 1, stderr: /absent/ })
  t.equal((await runTabcast(['config'], { ...env, TABCAST_URL: 'http://127.0.0.1:1' })).status, 0,
    'what clients read is not refused as a setting')
})

t.test('its help explains every option', async (t) => {
  const { status, stdout } = await runTabcast(['forecast', '--help'])
  t.equal(status, 0)
  for (const option of ['key', 'url', 'horizon', 'preset', 'quantiles', 'item-id-column', 'timestamp-column',
    'target-column', 'covariates', 'freq', 'missing', 'format', 'zip', 'out', 'force', 'job']) {
    t.match(stdout, new RegExp(`^ {2}--${option}\\b.*[a-z]{3}`, 'm'), option)
  }
  t.equal((await runTabcast(['help', 'forecast'])).stdout, stdout)
  t.match((await runTabcast(['--help'])).stdout, /tabcast serve /)
})

t.test('texts of the service name options, and leave names in quotes alone', async (t) => {
  t.equal(inOptions("There is no column 'item_id_column'. Set item_id_column, or leave freq out."),
    "There is no column 'item_id_column'. Set --item-id-column, or leave --freq out.")
  t.equal(inOptions('covariates, row 3: no\n  freq: no'), '--covariates, row 3: no\n  --freq: no')
  t.equal(inOptions('send preparation={"missing": "zero"}; preparation.missing: no'),
    'send --missing zero; --missing: no')
})

t.test('on a terminal one line is written over', async (t) => {
  let written = ''
  const line = new ProgressLine({
    isTTY: true,
    columns: 60,
    write: (text) => {
      written += text
    }
  })
  line.show('fit', 0.5)
  line.show('in the queue, position 3', null)
  line.note('done')
  t.equal(written,
    '\r\u001B[Kfit        ████████████░░░░░░░░░░░░  50 %\r\u001B[Kin the queue, position 3\r\u001B[Kdone\n')
})
