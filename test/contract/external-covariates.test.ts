import { readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { writeCatalogKey } from '../support/catalog.ts'
import { expectError, fieldsOf } from '../support/expect-error.ts'
import { openProviderServer, sendJson } from '../support/provider-server.ts'
import { Client, startService, type Job } from '../support/service.ts'
import { until } from '../support/until.ts'

/* Covariates from outside, by the whole service: a mounted catalogue, what is built in, and a provider that fails. */

const hourMs = 3_600_000
const hours = 24 * 60
const horizon = 24
const firstMs = Date.UTC(2025, 0, 1)
const lastMs = firstMs + (hours - 1) * hourMs
const iso = (ms: number) => new Date(ms).toISOString()
/** Irregular, and other in other places. */
const warmth = (hour: number, place = 0) =>
  10 + 8 * Math.sin(hour / 11 + place) + ((hour + place * 31) * (hour + place * 31) * 7) % 13
const vienna = '48.2,16.4'
const graz = '47.1,15.4'

interface Vintage {
  leadMs?: number
  shift?: number
  from?: number
  until?: number
}

/**
 * What the catalogue knows of the weather in a place: per vintage, values that were published `leadMs` before their
 * hour.
 */
function weather (place: number, vintages: Vintage[]): string[] {
  return ['valid_time,published_at,temperature_2m',
    ...vintages.flatMap(({ leadMs = 30 * hourMs, shift = 0, from = 0, until = hours + horizon }) =>
      Array.from({ length: until - from }, (_, index) => {
        const time = firstMs + (from + index) * hourMs
        return `${iso(time)},${iso(time - leadMs)},${warmth(from + index, place) + shift}`
      })
    )]
}

/** Of each series: place and how many hours it has. */
function demand (series: Array<{ id: string, place: number, length?: number, at?: [number, number] }>,
  inside = false): string {
  const header = `item_id,timestamp,target${series[0]?.at === undefined ? '' : ',lat,lon'}${
    inside ? ',weather_temperature_2m' : ''
  }`
  const rows = series.flatMap(({ id, place, length = hours, at }) =>
    Array.from({ length: length + (inside ? horizon : 0) }, (_, hour) => {
      const target = hour < length ? (50 + (hour % 24) + 3 * warmth(hour, place)).toFixed(6) : ''
      return `${id},${iso(firstMs + hour * hourMs)},${target}${at === undefined ? '' : `,${at.join(',')}`}${
        inside ? `,${warmth(hour, place)}` : ''
      }`
    })
  )
  return [header, ...rows].join('\n') + '\n'
}

const catalog = await mkdtemp(join(tmpdir(), 'tabcast-catalog-'))
t.teardown(() => rm(catalog, { recursive: true, force: true }))
const mountWeather = async (key: string, rows: string[]) => {
  await writeCatalogKey(catalog, { kind: 'weather', key, variables: ['temperature_2m'], freq: 'PT1H', rows })
}
// Published 30 hours ahead, so that a day ahead is known at the last observation.
await mountWeather(vienna, weather(0, [{}]))
await mountWeather(graz, weather(1, [{}]))

const down = await openProviderServer(t, (response) => {
  response.writeHead(500).end()
})
// Monthly figures, and a refusal in FRED's own words for a series that it does not have.
const figures = await openProviderServer(t, (response, { query }) => {
  if (query['series_id'] === 'NOSUCH') {
    return sendJson(response, { error_code: 400, error_message: 'Bad Request. The series does not exist.' }, 400)
  }
  const months = Array.from({ length: 12 },
    (_, month) => new Date(Date.UTC(2024, 6 + month, 1)).toISOString().slice(0, 10))
  sendJson(response, {
    count: 12,
    limit: 100_000,
    observations: months.map((date, month) => ({
      realtime_start: date,
      realtime_end: date,
      date,
      value: String(100 + month)
    }))
  })
})
const providers = join(catalog, 'providers.json')
await writeFile(providers,
  JSON.stringify({ providers: [{ id: 'prices', type: 'energy_charts', base_url: down.url, timeout_ms: 2000 }] }))
const others = join(catalog, 'other-providers.json')
await writeFile(others,
  JSON.stringify({ providers: [{ id: 'figures', type: 'fred', base_url: figures.url, api_key: 'canary-secret' }] }))

const service = await startService({
  TABCAST_RATE_LIMITS: 'false',
  TABCAST_SWEEP_MS: '1000',
  TABCAST_COVARIATES_DIR: catalog,
  TABCAST_COVARIATES_FILE: providers
})
t.teardown(service.cleanup)
const client = new Client(service.baseUrl, await service.createKey('acme'))

const options = { prediction_length: String(horizon), presets: 'fast' }
const block = (external: object) => ({ ...options, external_covariates: JSON.stringify(external) })
const temperature = { enabled: true, city: 'Vienna, AT', variables: ['temperature_2m'] }

interface Metadata {
  cutoff: string
  columns_added: string[]
  warnings: string[]
  sources: Record<string, Record<string, unknown>>
}

async function ended (table: string,
  fields: Record<string, string>
): Promise<{ job: Job, metadata: Metadata, warnings: Array<{ code: string, message: string }> }> {
  const { job_id: jobId } = await client.submitted(table, fields)
  const job = await client.ended(jobId)
  return {
    job,
    metadata: job['external_covariate_metadata'] as Metadata,
    warnings: job['warnings'] as Array<{ code: string, message: string }>
  }
}

async function completed (t: Test, table: string, fields: Record<string, string>) {
  const end = await ended(table, fields)
  t.equal(end.job.status, 'completed', `${end.job.error_code}: ${end.job.error}`)
  return { ...end, csv: await client.table(end.job.job_id) }
}

t.test('the weather of a city is used as if it were a column of the data', async (t) => {
  const table = demand([{ id: 'a', place: 0 }, { id: 'b', place: 0 }])
  const areValuesStored = (): boolean =>
    readdirSync(service.folder, { recursive: true }).some((path) => /job_\w+\/covariates$/.test(String(path)))
  const stored = until('the values are stored', areValuesStored)
  const { job, metadata, warnings, csv } = await completed(t, table, block({ weather: temperature }))
  t.match(metadata, {
    cutoff: iso(lastMs).replace('.000Z', 'Z'),
    columns_added: ['weather_temperature_2m'],
    warnings: [],
    sources: {
      weather: {
        status: 'used',
        reason: null,
        provider: 'mirror',
        source: 'auto',
        attribution: /CC BY 4.0|Mounted catalogue/,
        variables_requested: ['temperature_2m'],
        variables_used: ['temperature_2m'],
        location: { name: 'Vienna', country: 'AT', latitude: Number, longitude: Number, timezone: 'Europe/Vienna' },
        point_in_time: true,
        issued_at: null,
        published_through: iso(lastMs + (horizon - 30) * hourMs).replace('.000Z', 'Z'),
        history_coverage: 1,
        future_coverage: 1,
        future_strategy: null,
        snapshot_id: /^sha256:[0-9a-f]{64}$/
      }
    }
  })
  t.strictSame(warnings.filter(({ code }) => code.startsWith('external')), [])
  t.type((job['timings'] as Record<string, number>)['covariates'], 'number')
  t.match((job['effective_config'] as Record<string, object>)['external_covariates'], {
    weather: { enabled: true, source: 'auto', resolved_location: { name: 'Vienna' } }
  })
  await stored
  await until('they are deleted, because no further run needs them', () => !areValuesStored())
  const inside = await completed(t, demand([{ id: 'a', place: 0 }, { id: 'b', place: 0 }], true), {
    ...options,
    covariates: 'weather_temperature_2m'
  })
  t.equal(csv, inside.csv)
  const without = await completed(t, table, options)
  t.not(csv, without.csv)
  t.equal(without.metadata, null)
  t.equal(job['dataset_hash'], without.job['dataset_hash'], 'the identity of what was sent')
  t.not(job['config_hash'], without.job['config_hash'])
})

t.test('its share in the forecast is explained by its name', async (t) => {
  const explainability = JSON.stringify({ enabled: true, forecast_plot: false, feature_feature_correlations: false })
  const { job } = await completed(t, demand([{ id: 'a', place: 0 }]), {
    ...block({ weather: temperature }),
    explainability
  })
  const artifact = async (name: string) =>
    await (await client.request('GET', `/jobs/${job.job_id}/artifacts/${name}`)).text()
  t.match(await artifact('feature_importance.csv'), /weather_temperature_2m/)
  t.match(await artifact('shap_values.csv'), /weather_temperature_2m/)
  t.match(await artifact('feature_target_correlations.csv'), /weather_temperature_2m/)
})

t.test('what was published after the last observation changes nothing, unless that is asked for', async (t) => {
  const table = demand([{ id: 'a', place: 0 }])
  const ask = async (point: boolean) =>
    await completed(t, table, block({ weather: { ...temperature, point_in_time: point } }))
  const [before, latestBefore] = [await ask(true), await ask(false)]
  // Values of every hour are revised after the last observation.
  await mountWeather(vienna, [...weather(0, [{}]),
    ...Array.from({ length: hours + horizon },
      (_, hour) => `${iso(firstMs + hour * hourMs)},${iso(lastMs + hourMs)},${(hour * 37) % 101}`)])
  t.teardown(async () => {
    await mountWeather(vienna, weather(0, [{}]))
  })
  const [after, latestAfter] = [await ask(true), await ask(false)]
  t.equal(after.csv, before.csv)
  t.strictSame(before.csv, latestBefore.csv)
  t.not(latestAfter.csv, before.csv)
  t.match(latestAfter.metadata.warnings, [/weather has values that were published after the last observation/])
  t.ok(latestAfter.warnings.some(({ code }) => code === 'external_covariates_note'))
})

t.test('series in several places, and with several ends', async (t) => {
  const at = (one: string): [number, number] => one.split(',').map(Number) as [number, number]
  const series = [{ id: 'a', place: 0, at: at(vienna) }, { id: 'b', place: 1, at: at(graz) }, {
    id: 'c',
    place: 1,
    at: at(graz),
    length: hours - 100
  }]
  const columns = {
    weather: { enabled: true, variables: ['temperature_2m'], latitude_column: 'lat', longitude_column: 'lon' }
  }
  const { csv, metadata } = await completed(t, demand(series), block(columns))
  t.match(metadata.sources['weather'], {
    status: 'used',
    location: { latitude_column: 'lat', longitude_column: 'lon', places: 2 }
  })
  const inside = await completed(t, demand(series, true), { ...options, covariates: 'weather_temperature_2m' })
  t.equal(csv, inside.csv)
  const prepared = await completed(t, demand(series), {
    ...block(columns),
    preparation: JSON.stringify({ filters: [{ column: 'item_id', op: 'ne', values: ['b'] }] })
  })
  t.equal(prepared.csv, csv.split('\n').filter((line) => !line.startsWith('b,')).join('\n'), 'of prepared rows, too')
  await expectError(t, await client.submit(demand(series).replace(`,${graz}`, ',95,15'), block(columns)), 422,
    'validation_error')
  const wrong = await expectError(t,
    await client.submit(demand(series), block({ weather: { ...columns.weather, latitude_column: 'north' } })), 422,
    'validation_error')
  t.match(fieldsOf(wrong)[0], { loc: ['body', 'file', 'north'], type: 'missing_column', msg: /latitude_column/ })
})

t.test('holidays are built in, by the days of their country', async (t) => {
  const days = Array.from({ length: 400 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10))
  const off = new Set(['2024-01-01', '2024-03-29', '2024-04-01', '2024-05-01', '2024-05-09', '2024-05-20', '2024-10-03',
    '2024-12-25', '2024-12-26', '2025-01-01'])
  const table = ['item_id,timestamp,target',
    ...days.map((day, index) => `a,${day},${off.has(day) ? 5 : 100 + index % 7}`)].join('\n')
  const { metadata, csv } = await completed(t, table, {
    prediction_length: '90',
    presets: 'balanced',
    external_covariates: JSON.stringify({ holidays: { enabled: true, country_code: 'DE', variables: ['is_holiday'] } })
  })
  t.match(metadata.sources['holidays'], {
    status: 'used',
    provider: 'calendar',
    country: 'DE',
    history_coverage: 1,
    future_coverage: 1
  })
  const mean = (day: string) => Number(csv.split('\n').find((line) => line.startsWith(`a,${day}`))?.split(',')[2])
  // Good Friday and Labour Day of the year that is forecast.
  t.ok(mean('2025-04-18') < 50, `${mean('2025-04-18')} on Good Friday`)
  t.ok(mean('2025-05-01') < 50, `${mean('2025-05-01')} on Labour Day`)
  t.ok(mean('2025-04-16') > 80, `${mean('2025-04-16')} on a Wednesday`)
})

t.test('gaps: a warning, or the end of the job where all is required', async (t) => {
  await mountWeather('52.5,13.4', weather(2, [{ from: 0, until: hours - 500 }]))
  const berlin = { enabled: true, variables: ['temperature_2m', 'precipitation'], city: 'Berlin' }
  const table = demand([{ id: 'a', place: 2 }])
  const { metadata, warnings, csv } = await completed(t, table, block({ weather: berlin }))
  t.match(metadata.sources['weather'], {
    status: 'skipped',
    variables_used: [],
    reason: /temperature_2m: known for 65\.\d % of the history; 80 % are needed; precipitation: /
  })
  t.match(warnings.find(({ code }) => code === 'external_covariates_skipped')?.message,
    /External covariates, weather: /)
  t.equal(csv, (await completed(t, table, options)).csv)
  const { job } = await ended(table,
    block({ weather: { ...berlin, variables: ['temperature_2m'], require_coverage: true } }))
  t.match(job, {
    status: 'failed',
    error_code: 'validation_error',
    error:
      /^external_covariates\.weather\.require_coverage: temperature_2m is known for 65\.\d % of the history and 0 % of the horizon; the first gap is from 2025-/
  })
})

t.test('nobody knows it, or who knows it is down: the job goes on without', async (t) => {
  const { metadata, warnings } = await completed(t, demand([{ id: 'a', place: 0 }]), block({
    weather: { ...temperature, city: 'Lima' },
    rates: { enabled: true },
    electricity: { enabled: true, bidding_zone: 'DE-LU' }
  }))
  t.match(metadata.sources, {
    weather: { status: 'skipped', reason: /no source of weather covers/, provider: null, snapshot_id: null },
    rates: { status: 'skipped', reason: /no source of rates is configured/ },
    electricity: { status: 'failed', reason: /prices reports a failure of its own/, zone: 'DE-LU' }
  })
  t.strictSame(warnings.map(({ code }) => code).filter((code) => code.startsWith('external')), [
    'external_covariates_skipped',
    'external_covariates_skipped',
    'external_covariates_failed',
    'external_covariates_note'
  ])
  t.ok(down.asked.length > 1, 'it was asked more than once')
  const { job } = await ended(demand([{ id: 'a', place: 0 }]),
    block({ weather: { ...temperature, city: 'Lima', require_coverage: true } }))
  t.match(job, {
    status: 'failed',
    error_code: 'validation_error',
    error: /weather\.require_coverage: no source of weather covers what was asked for: mirror/
  })
})

t.test('a provider over the network is asked by the worker, with its key, and read in the slot', async (t) => {
  await service.restart({ TABCAST_COVARIATES_FILE: others })
  const macro = { enabled: true, variables: ['CPIAUCSL', 'NOSUCH'], future_strategy: 'forward_fill_latest' }
  const { metadata } = await completed(t, demand([{ id: 'a', place: 0 }]), block({ macro }))
  t.match(metadata, {
    columns_added: ['macro_CPIAUCSL'],
    sources: {
      macro: {
        status: 'partial',
        provider: 'figures',
        variables_used: ['CPIAUCSL'],
        reason: /NOSUCH: the provider has no such series, or had none at the cutoff$/
      }
    }
  })
  t.strictSame(new Set(figures.asked.map(({ query }) => query['api_key'])), new Set(['canary-secret']))
  const before = figures.asked.length
  await completed(t, demand([{ id: 'b', place: 0 }]), block({ macro: { ...macro, variables: ['CPIAUCSL'] } }))
  t.equal(figures.asked.length, before, 'an answer is kept in the worker for the next job')
  for (const pid of service.pids('slot')) t.notMatch(await readFile(`/proc/${pid}/environ`, 'latin1'), /canary/)
})

t.test('without any way out the providers are not asked', async (t) => {
  const before = down.asked.length
  await service.restart({ TABCAST_EGRESS: 'none' })
  const { metadata } = await completed(t, demand([{ id: 'a', place: 0 }]),
    block({ weather: temperature, electricity: { enabled: true, bidding_zone: 'DE-LU' } }))
  t.match(metadata.sources, {
    weather: { status: 'used' },
    electricity: { status: 'skipped', reason: /makes no requests to the outside/ }
  })
  t.equal(down.asked.length, before)
})

t.test('every route that forecasts takes them', async (t) => {
  const json = { 'content-type': 'application/json' }
  const presigned = await client.request('POST', '/storage/uploads/presign', {
    body: JSON.stringify({ filename: 'data.csv', content_type: 'text/csv' }),
    headers: json
  })
  const upload = await presigned.json() as { object_id: string, upload_url: string,
    required_headers: Record<string, string> }
  await fetch(upload.upload_url, {
    method: 'PUT',
    headers: upload.required_headers,
    body: demand([{ id: 'a', place: 0 }])
  })
  await client.request('POST', `/storage/uploads/${upload.object_id}/complete`, { body: '{}', headers: json })
  const request = {
    object_id: upload.object_id,
    prediction_length: horizon,
    presets: 'fast',
    external_covariates: { weather: { enabled: true, variables: ['temperature_2m'] } },
    latitude: 48.2,
    longitude: 16.4
  }
  const one = await client.request('POST', '/forecast/storage-object', { body: JSON.stringify(request), headers: json })
  t.equal(one.status, 202)
  const batch = await client.request('POST', '/forecast/batch', {
    body: JSON.stringify({ requests: [request] }),
    headers: json
  })
  t.equal(batch.status, 202)
  const form = new FormData()
  form.append('prompt', 'forecast the next 24 hours')
  form.append('external_covariates', JSON.stringify({ weather: temperature }))
  form.append('file', new Blob([demand([{ id: 'a', place: 0 }])]), 'data.csv')
  const agent = await client.request('POST', '/agent/forecast', { body: form })
  t.equal(agent.status, 202, await agent.clone().text())
  const ids = [(await one.json() as Job).job_id, (await batch.json() as { jobs: Job[] }).jobs[0]?.job_id ?? '',
    (await agent.json() as Job).job_id]
  for (const id of ids) {
    const job = await client.ended(id)
    t.match(job, { status: 'completed', external_covariate_metadata: { columns_added: ['weather_temperature_2m'] } },
      `${job.error}`)
  }
  const wrong = await client.request('POST', '/forecast/batch', {
    body: JSON.stringify({
      requests: [request, { ...request, external_covariates: { weather: { enabled: true, city: 'Entenhausen' } } }]
    }),
    headers: json
  })
  const envelope = await expectError(t, wrong, 422, 'validation_error')
  t.match(fieldsOf(envelope)[0], {
    loc: ['body', 'requests', 1, 'external_covariates', 'weather', 'city'],
    msg: /is not a known city; near are/
  })
  const estimate = await client.request('POST', '/estimate/runtime', { body: JSON.stringify(request), headers: json })
  t.equal(estimate.status, 200, await estimate.clone().text())
})
