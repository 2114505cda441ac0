import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { catalogStatus, type CatalogStatus } from '../../src/sources/covariates/catalog/catalog-status.ts'
import { bundleEntries, writeTar } from '../support/bundle.ts'
import { launcher, runTabcast } from '../support/command.ts'
import { openProviderServer, sendJson } from '../support/provider-server.ts'

const prices = { unix_seconds: [1735689600, 1735693200], price: [50, 52.5], unit: 'EUR / MWh' }

async function setUp (t: Test) {
  const folder = t.testdir({ catalogue: {} })
  const server = await openProviderServer(t, (response) => sendJson(response, prices))
  await writeFile(join(folder, 'providers.json'), JSON.stringify({
    providers: [{ id: 'energy-charts', type: 'energy_charts', base_url: server.url }, {
      id: 'fred',
      type: 'fred',
      base_url: server.url,
      api_key: 'canary-secret'
    }]
  }))
  await writeFile(join(folder, 'm.yaml'),
    'from: 2025-01-01\nmirror:\n  - {kind: electricity, zones: [DE-LU], variables: [day_ahead_price]}\n')
  const env: Record<string, string> = {
    TABCAST_COVARIATES_FILE: join(folder, 'providers.json'),
    TABCAST_COVARIATES_DIR: join(folder, 'catalogue')
  }
  const run = async (args: string[], change: Record<string, string> = {}) =>
    await runTabcast(['covariates', ...args], { ...env, ...change })
  return { folder, run, bundle: join(folder, 'b.tar'), config: join(folder, 'm.yaml') }
}

t.test('mirror, import, status', async (t) => {
  const { folder, run, bundle, config } = await setUp(t)
  const empty = await run(['status'])
  t.match(empty, { status: 0, stdout: /: 0 folders, 0 damaged\n$/ })
  const mirrored = await run(['mirror', '--config', config, '--out', bundle])
  t.match(mirrored, {
    status: 0,
    stderr: '',
    stdout:
      /^electricity\/energy-charts\/DE-LU: day_ahead_price; 2 rows, 2025-01-01T00:00:00Z to 2025-01-01T02:00:00Z\n.*b\.tar: 1 folders, \d+ bytes, sha256 [0-9a-f]{64}\n$/
  })
  t.match(await run(['import', bundle]), { status: 0, stdout: /DE-LU: added\n.*: 1 of 1 folders changed\n$/ })
  t.match(await run(['import', bundle]), { status: 0, stdout: /DE-LU: unchanged\n.*: 0 of 1 folders changed\n$/ })
  t.match(await run(['import', bundle, '--replace']), { status: 0, stdout: /DE-LU: replaced\n/ })
  const table = await run(['status'])
  t.match(table, {
    status: 0,
    stdout:
      /^KIND +PROVIDER +KEY +VARIABLES +COVERAGE +AGE +VINTAGES +BYTES +LICENCE\nelectricity +energy-charts +DE-LU +day_ahead_price +2025-01-01\.\.2025-01-01 +0 d +no +77 +energy-charts\.info/
  })
  const json = JSON.parse((await run(['status', '--json'])).stdout) as CatalogStatus
  t.match(json, {
    keys: [{ kind: 'electricity', provider: 'energy-charts', key: 'DE-LU', damage: null, bytes: 77 }],
    ignored: []
  })
  const part = join(folder, 'catalogue/current/electricity/energy-charts/DE-LU')
  const manifest = JSON.parse(await readFile(join(part, 'manifest.json'), 'utf8')) as { parts: Array<{ file: string }> }
  await writeFile(join(part, manifest.parts[0]!.file), 'x')
  t.match(await run(['status']), {
    status: 1,
    stdout: /DE-LU +DAMAGED: .*another checksum.*\n.*: 1 folders, 1 damaged\n$/
  })
  t.match(await run(['import', bundle]), { status: 0, stdout: /unchanged/ })
  t.match(await run(['import', bundle, '--replace']), { status: 0 })
  t.match(await run(['status']), { status: 0 }, 'a folder that was damaged is mended by the bundle')
})

t.test('wrong usage, settings and files', async (t) => {
  const { folder, run, bundle, config } = await setUp(t)
  for (const args of [[], ['mirror', '--config', config], ['import'], ['import', 'a', 'b'], ['status', '--replace'], [
    'status',
    '--what'
  ]]) {
    t.equal((await run(args)).status, 64, args.join(' '))
  }
  t.match(await run(['status'], { TABCAST_COVARIATES_DIR: '' }), {
    status: 78,
    stderr: /TABCAST_COVARIATES_DIR is not set/
  })
  t.match(await run(['import', bundle], { TABCAST_COVARIATES_DIR: '' }), {
    status: 78,
    stderr: /TABCAST_COVARIATES_DIR is not set/
  })
  const mirror = ['mirror', '--config', config, '--out', bundle]
  t.match(await run(mirror, { TABCAST_COVARIATES_FILE: '' }), {
    status: 78,
    stderr: /TABCAST_COVARIATES_FILE is not set/
  })
  t.match(await run(mirror, { TABCAST_COVARIATES_FILE: join(folder, 'none.json') }), {
    status: 78,
    stderr: /TABCAST_COVARIATES_FILE=.*cannot be read \(ENOENT\)/
  })
  t.match(await run(mirror, { TABCAST_EGRESS: 'none' }), { status: 78, stderr: /makes no requests to the outside/ })
  t.match(await run(['mirror', '--config', join(folder, 'none.yaml'), '--out', bundle]), {
    status: 78,
    stderr: /none\.yaml: ENOENT/
  })
  await writeFile(config, 'mirror: [{kind: stars, from: 2025-01-01}]')
  t.match(await run(mirror), { status: 78, stderr: /m\.yaml: mirror\[0\]\.kind is not a kind that can be mirrored/ })
  await writeFile(config, 'mirror: [{kind: macro, from: 2025-01-01, variables: [gdp]}]')
  const refused = await run(mirror)
  t.match(refused, { status: 1, stderr: /fred answers with something that is not in its documented form/ })
  t.notMatch(refused.stderr, /canary|127\.0\.0\.1/)
  t.match(await run(['import', bundle]), { status: 1, stderr: /b\.tar is not there/ })
  await writeFile(bundle, 'not a bundle')
  t.match(await run(['import', bundle]), { status: 1, stderr: /^tabcast: .*bundle/ })
  t.match(await run(['status'], { TABCAST_COVARIATES_DIR: join(folder, 'nowhere') }), {
    status: 1,
    stderr: /cannot be listed/
  })
  t.match(await run(['status'], { TABCAST_COVARIATES_DIR: config }), { status: 1, stderr: /cannot be listed/ })
})

t.test('an import that is killed at any moment is seen whole or not at all, and the next one finishes it', async (t) => {
  const folder = t.testdir({})
  const directory = join(folder, 'catalogue')
  await mkdir(directory)
  const keys = Array.from({ length: 150 }, (_, index) => `weather/open-meteo/${index / 10},10`)
  const bundleOf = async (month: number) =>
    await writeTar(join(folder, `${month}.tar`), bundleEntries(keys.map((path) => ({
      path,
      parts: { 'part-1.csv': `valid_time,temperature_2m\n2025-01-01,${month}\n` },
      manifest: {
        generated_at: `2025-0${month}-01T00:00:00Z`,
        coverage: { start: '2025-01-01', end: `2025-0${month}-02` }
      }
    }))))
  const states = new Set<string>()
  const state = async () => {
    const { keys, generation } = await catalogStatus(directory, Date.parse('2025-12-01'))
    t.strictSame(keys.filter(({ damage }) => damage !== null), [])
    const ends = new Set(keys.map(({ coverage }) => coverage!.end))
    t.ok(ends.size <= 1 && (keys.length === 150 || (keys.length === 0 && generation === null)),
      `${keys.length} folders, ${[...ends].join()}`)
    return [...ends].join()
  }
  for (let month = 1; month <= 6; month++) {
    const bundle = await bundleOf(month)
    const [program, ...first] = launcher
    const child = spawn(program, [...first, process.execPath, 'dist/cli.js', 'covariates', 'import', bundle], {
      env: { ...process.env, TABCAST_COVARIATES_DIR: directory },
      stdio: 'ignore',
      detached: true
    })
    const ended = once(child, 'exit')
    await Promise.race([sleep(250 + 130 * month), ended])
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
    await ended
    states.add(await state())
  }
  t.comment(`states that were seen: ${[...states].join(' | ')}`)
  const last = await runTabcast(['covariates', 'import', await bundleOf(9)], { TABCAST_COVARIATES_DIR: directory })
  t.equal(last.status, 0)
  t.equal(await state(), '2025-09-02')
})
