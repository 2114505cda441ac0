import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/platform/config.ts'
import { asOf } from '../../../src/sources/covariates/as-of.ts'
import { importBundle } from '../../../src/sources/covariates/bundle/import-bundle.ts'
import { keyRowsOf } from '../../../src/sources/covariates/bundle/key-rows.ts'
import { readMirrorConfig } from '../../../src/sources/covariates/bundle/mirror-config.ts'
import { writeBundle } from '../../../src/sources/covariates/bundle/write-bundle.ts'
import type { Kind } from '../../../src/sources/covariates/covariate-key.ts'
import { observationsOf } from '../../../src/sources/covariates/observations.ts'
import { ProviderNetwork } from '../../../src/sources/covariates/provider-network.ts'
import { openRegistry } from '../../../src/sources/covariates/provider-registry.ts'
import { readProvidersFile } from '../../../src/sources/covariates/providers-file.ts'
import { openProviderServer, sendJson, type Handler } from '../../support/provider-server.ts'

const at = (text: string) => Date.parse(text)
const nowMs = at('2025-09-01T12:00:00Z')
const hourMs = 3_600_000

/** GDP is revised on 29 August 2024; an hour of weather is the hour of the day; prices are those of a day. */
const answers: Handler = (response, { path, query }) => {
  if (path === '/fred/series/observations') {
    const [start, end] = [query['realtime_start'] ?? '2025-09-01', query['realtime_end'] ?? '2025-09-01']
    const observations = [['2024-01-01', '1.4'], ['2024-04-01', end < '2024-08-29' ? '2.8' : '3.0']].map((
      [date, value]
    ) => ({ realtime_start: start, realtime_end: end, date, value }))
    return sendJson(response, { count: 2, limit: 100_000, observations })
  }
  if (path === '/price') {
    return sendJson(response, {
      unix_seconds: [0, 1, 2].map((hour) => (at('2025-08-01') + hour * hourMs) / 1000),
      price: [50, null, 52.5],
      unit: 'EUR / MWh'
    })
  }
  const from = at(query['start_date']!)
  const time = Array.from({ length: (at(query['end_date']!) - from) / hourMs + 24 },
    (_, hour) => (from + hour * hourMs) / 1000)
  return sendJson(response, {
    utc_offset_seconds: 0,
    hourly: {
      time,
      ...Object.fromEntries(
        query['hourly']!.split(',').map((name) => [name, time.map((seconds) => seconds / 3600 % 24)])
      )
    }
  })
}

async function setUp (t: Test, handler: Handler = answers) {
  const folder = t.testdir({ catalogue: {} })
  const server = await openProviderServer(t, handler)
  const entries = readProvidersFile('F', 'p.json', JSON.stringify({
    providers: [
      { id: 'open-meteo', type: 'open_meteo', base_urls: { forecast: server.url, archive: server.url } },
      { id: 'fred', type: 'fred', base_url: server.url, api_key: 'canary-secret' },
      {
        id: 'energy-charts',
        type: 'energy_charts',
        base_url: server.url,
        lags: { day_ahead_price: { day_before: { time: '10:00', timezone: 'Europe/Berlin' } } }
      }
    ]
  }))
  const open = async (catalogDirectory: string | null) => {
    const network = new ProviderNetwork({ entries, config: loadConfig({}) })
    const registry = openRegistry({
      entries: catalogDirectory === null ? entries : [],
      catalogDirectory,
      egress: catalogDirectory === null ? 'allowed' : 'none',
      sourceAt: (id, baseUrl) => network.source(id, baseUrl)!
    })
    await registry.refresh()
    return registry
  }
  const lines: string[] = []
  const bundle = join(folder, 'bundle.tar')
  const run = async (yaml: string) => {
    await writeFile(join(folder, 'm.yaml'), yaml)
    const config = await readMirrorConfig(join(folder, 'm.yaml'))
    return await writeBundle({
      config,
      registry: await open(null),
      path: bundle,
      nowMs,
      signal: new AbortController().signal,
      print: (line) => lines.push(line)
    })
  }
  const directory = join(folder, 'catalogue')
  const fetchInside = async (kind: Kind, key: object, variables: string[], cutoff: string) => {
    const { provider } = await (await open(directory)).choose(kind, 'auto', key as never, variables)
    const cutoffMs = at(cutoff)
    const { observations } = await provider!.fetch({
      kind,
      key: key as never,
      variables,
      startMs: at('2024-01-01'),
      endMs: at('2026-01-01'),
      cutoffMs,
      mode: 'as_of',
      signal: new AbortController().signal
    })
    return observations.map((one) =>
      asOf(one, { cutoffMs, pointInTime: true, requirePublished: false, lag: one.lag ?? provider!.lagOf(one.variable) })
    )
  }
  return { folder, server, bundle, directory, lines, run, open, fetchInside }
}

const everything = `
from: 2024-01-01
mirror:
  - {kind: macro, source: fred, variables: [gdp], as_of: [2024-08-20, 2024-09-20, 2024-10-20]}
  - kind: weather
    from: 2025-08-01
    variables: [temperature_2m]
    places:
      - {latitude: 52.52, longitude: 13.405}
      - {city: "Paris, FR"}
  - {kind: electricity, zones: [DE-LU], variables: [day_ahead_price], from: 2025-08-01}
`

t.test('what is mirrored outside answers inside as the providers would, as of every cutoff', async (t) => {
  const { run, bundle, directory, lines, fetchInside, server, folder } = await setUp(t)
  const first = await run(everything)
  t.equal(first.keys, 4)
  t.match(lines, [/^macro\/fred\/gdp: gdp; 3 rows, 2024-01-01T00:00:00Z to 2024-07-01T00:00:00Z$/,
    /^weather\/open-meteo\/52\.52,13\.405: temperature_2m/, /^weather\/open-meteo\/48\.85\d*,2\.3\d*: /,
    /^electricity\/energy-charts\/DE-LU: day_ahead_price; 2 rows/])
  t.strictSame(await readdir(folder), ['bundle.tar', 'catalogue', 'm.yaml'], 'nothing else is left')
  const again = await run(everything)
  t.equal(again.sha256, first.sha256, 'the same bytes')
  const asked = server.asked.length
  await importBundle({ bundlePath: bundle, directory, replaces: false })
  const gdp = async (cutoff: string) => [...(await fetchInside('macro', {}, ['gdp'], cutoff))[0]!.values]
  t.strictSame(await gdp('2024-08-19T00:00:00Z'), [], 'before the first vintage nothing is known')
  t.strictSame(await gdp('2024-08-21T12:00:00Z'), [1.4, 2.8])
  t.strictSame(await gdp('2024-09-21T12:00:00Z'), [1.4, 3])
  t.strictSame(await gdp('2025-12-01T00:00:00Z'), [1.4, 3])
  const [prices] = await fetchInside('electricity', { zone: '10Y1001A1001A82H' }, ['day_ahead_price'],
    '2025-08-01T00:00:00Z')
  t.strictSame([...prices!.values], [50, 52.5])
  const [weather] = await fetchInside('weather', { latitude: 52.5, longitude: 13.4 }, ['temperature_2m'],
    '2025-08-20T00:00:00Z')
  t.strictSame([weather!.values.length, ...weather!.values.slice(0, 3)], [14 * 24, 0, 1, 2],
    'the archive, five days before the cutoff')
  t.equal(server.asked.length, asked, 'inside nothing is asked for')
  const manifest = JSON.parse(
    await readFile(join(directory, 'current/electricity/energy-charts/DE-LU/manifest.json'), 'utf8')
  ) as { variables: object[] }
  t.strictSame(manifest.variables, [{
    name: 'day_ahead_price',
    unit: null,
    lag: { day_before: { time: '10:00', timezone: 'Europe/Berlin' } }
  }], 'the delay that the operator declared outside counts inside')
})

t.test('a provider that fails leaves no bundle and shows no key; what it does not have is said', async (t) => {
  const { run, folder } = await setUp(t, (response) => sendJson(response, {}, 401))
  await t.rejects(run('{from: 2024-01-01, mirror: [{kind: macro, variables: [gdp]}]}'),
    { name: 'ProviderError', code: 'AUTHENTICATION_FAILED' } as never)
  t.strictSame(await readdir(folder), ['catalogue', 'm.yaml'])
  const empty = await setUp(t, (response, { query }) =>
    sendJson(response, query['series_id'] === 'UNRATE'
      ? {
        count: 1,
        limit: 9,
        observations: [{ realtime_start: '2025-01-01', realtime_end: '2025-01-01', date: '2024-05-01', value: '4' }]
      }
      : { count: 0, limit: 9, observations: [] }))
  await empty.run('{from: 2024-01-01, mirror: [{kind: macro, variables: [gdp, unemployment]}]}')
  t.match(empty.lines, [/^macro\/fred\/gdp: gdp is missing: the series has no values/,
    /^macro\/fred\/unemployment: unemployment; 1 rows/])
  await t.rejects(empty.run('{from: 2024-01-01, mirror: [{kind: macro, variables: [gdp]}]}'),
    { name: 'BundleError', message: /no provider had any value/ } as never)
  await t.rejects(
    empty.run(
      '{from: 2024-01-01, mirror: [{kind: macro, variables: [unemployment]}, {kind: macro, variables: [unemployment]}]}'
    ),
    { name: 'BundleError', message: /macro\/fred\/unemployment is named twice/ } as never
  )
  await t.rejects(empty.run('{from: 2024-01-01, mirror: [{kind: transport, lines: [P]}]}'),
    { name: 'BundleError', message: /transport P: no source of transport is configured/ } as never)
  await t.rejects(empty.run('{from: 2024-01-01, mirror: [{kind: electricity, zones: [DE/LU]}]}'),
    { name: 'BundleError' } as never)
  for (const yaml of ['[{kind: macro, source: other}]', '[{kind: macro, variables: [hot]}]',
    '[{kind: weather, places: [{city: Nowherebourg}]}]']) {
    await t.rejects(empty.run(`{from: 2024-01-01, mirror: ${yaml}}`), { name: 'CovariateInputError' } as never)
  }
})

t.test('a wrong file names entry and rule', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'm.yaml')
  const entry = 'kind: macro, from: 2024-01-01'
  const wrong: Array<[string, RegExp]> = [
    ['mirror: [', /is neither YAML nor JSON/],
    ['', /it must be object/],
    ['mirror: []', /mirror must not have fewer than 1/],
    ['{mirror: [{kind: macro}], more: 1}', /more/],
    ['mirror: [1]', /mirror\.0 must be object/],
    ['a: &a [1, 2]\nmirror: [*a, *a]', /is neither YAML nor JSON/],
    ['mirror: [{}]', /mirror\[0\]\.kind is not a kind that can be mirrored; one of weather, air_quality/],
    ['mirror: [{kind: holidays}]', /holidays are built in/],
    ['mirror: [{kind: constructor}]', /kind is not/],
    ['mirror: [{kind: macro}]', /mirror\[0\] has no from/],
    [`mirror: [{${entry}, until: 2023-01-01}]`, /mirror\[0\]\.until is not after from/],
    ['mirror: [{kind: macro, from: 2024-13-45}]', /mirror\[0\]\.from is not a date/],
    [`mirror: [{${entry}, as_of: [2024-99-01]}]`, /as_of\[0\] is not a date/],
    [`mirror: [{${entry}, places: []}]`, /mirror\[0\].*places/],
    ['mirror: [{kind: weather, from: 2024-01-01}]', /mirror\[0\].*places/],
    ['mirror: [{kind: weather, from: 2024-01-01, places: [{latitude: 91, longitude: 0}]}]', /mirror\[0\]\.places\.0/],
    [`mirror: [{${entry}, from: yesterday}]`, /./],
    [`mirror: [{${entry}, varables: [cpi]}]`, /mirror\[0\] must not have additional properties: varables$/],
    ['mirror: [{kind: weather, from: 2024-01-01, places: [{latitude: true, longitude: 0}]}]', /mirror\[0\]\.places\.0/],
    ['{"__proto__": {"mirror": []}}', /./]
  ]
  for (const [yaml, message] of wrong) {
    await writeFile(path, yaml)
    await t.rejects(readMirrorConfig(path), { name: 'ConfigError', message } as never, yaml)
    await t.rejects(readMirrorConfig(path), { message: /m\.yaml: / } as never)
  }
  await t.rejects(readMirrorConfig(join(folder, 'none.yaml')), { name: 'ConfigError', message: /ENOENT/ } as never)
  await writeFile(path,
    JSON.stringify({ from: '2024-01-01', mirror: [{ kind: 'macro' }, { kind: 'rates', from: '2025-01-01' }] }))
  t.strictSame((await readMirrorConfig(path)).mirror.map(({ from }) => from), ['2024-01-01', '2025-01-01'])
})

t.test('rows of several fetches: vintages once, later fetches win, the coarser frequency counts', async (t) => {
  const all = { startMs: -Infinity, endMs: Infinity }
  const price = (values: number[], published: number[] | undefined, times = [1, 2]) =>
    observationsOf('price', 'PT15M', { validTimeMs: times, values, publishedAtMs: published }, all)
  const load = observationsOf('load', 'PT1H', { validTimeMs: [2], values: [9], publishedAtMs: [20] }, all)
  const rows = keyRowsOf([price([5, 6], [10, 20]), price([5, 7], [30, 30]), price([8, NaN], [40, 40]), load])
  t.equal(rows!.frequency, 'PT1H')
  t.strictSame(rows!.variables, ['price', 'load'])
  t.strictSame(rows!.rows.map(({ validTimeMs, publishedAtMs, values }) => [validTimeMs, publishedAtMs, ...values]), [[1,
    10, 5, undefined], [1, 40, 8, undefined], [2, 20, 6, 9], [2, 30, 7, undefined]])
  t.strictSame(keyRowsOf([price([1], undefined, [1]), price([2], undefined, [1])])!.rows.map(({ values }) => values), [[
    2
  ]])
  t.equal(keyRowsOf([price([NaN], undefined, [1])]), null)
  t.equal(keyRowsOf([]), null)
})
