import t, { type Test } from 'tap'
import { asOf } from '../../../src/sources/covariates/as-of.ts'
import { lagLookup } from '../../../src/sources/covariates/default-lags.ts'
import { openMeteoAirQuality } from '../../../src/sources/covariates/open-meteo/air-quality.ts'
import { geocode } from '../../../src/sources/covariates/open-meteo/geocoding.ts'
import { openMeteoWeather } from '../../../src/sources/covariates/open-meteo/weather.ts'
import type { CovariateRequest } from '../../../src/sources/covariates/provider.ts'
import { openProviderServer, sendJson } from '../../support/provider-server.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const at = (text: string) => Date.parse(text)
const signal = new AbortController().signal
const berlin = { latitude: 52.52, longitude: 13.405 }

/** As the documentation has it: parallel arrays; here each value tells hour of the day, lead time and endpoint. */
function hourly (query: Record<string, string>, valueOf: (name: string, timeMs: number) => number | null): object {
  const from = at(query['start_date'] ?? query['run']!.slice(0, 10))
  const hours = query['run'] === undefined
    ? (at(query['end_date']!) - from) / hourMs + 24
    : Number(query['forecast_days']) * 24
  const time = Array.from({ length: hours }, (_, hour) => (from + hour * hourMs) / 1000)
  const names = query['hourly']!.split(',')
  return {
    latitude: 52.5,
    longitude: 13.4,
    elevation: 38,
    generationtime_ms: 0.2,
    utc_offset_seconds: 0,
    timezone: 'GMT',
    timezone_abbreviation: 'GMT',
    hourly_units: Object.fromEntries([['time', 'unixtime'], ...names.map((name) => [name, '°C'])]),
    hourly: {
      time,
      ...Object.fromEntries(names.map((name) => [name, time.map((seconds) => valueOf(name, seconds * 1000))]))
    }
  }
}

async function weatherAt (t: Test, now: string,
  valueOf: (path: string, name: string, timeMs: number) => number | null = (path, name) =>
    ({ '/archive/v1/archive': 1, '/forecast/v1/forecast': 2, '/single/v1/forecast': 3 })[path] ??
      100 + Number(/_previous_day(\d)$/.exec(name)?.[1] ?? 0)) {
  const server = await openProviderServer(t,
    (response, { path, query }) => sendJson(response, hourly(query, (name, timeMs) => valueOf(path, name, timeMs))))
  const provider = openMeteoWeather({
    id: 'open-meteo',
    forecast: server.source({ secrets: { apikey: 'k' }, baseUrl: `${server.url}/forecast` }),
    archive: server.source({ secrets: { apikey: 'k' }, baseUrl: `${server.url}/archive/` }),
    previousRuns: server.source({ secrets: { apikey: 'k' }, baseUrl: `${server.url}/previous` }),
    singleRuns: server.source({ secrets: { apikey: 'k' }, baseUrl: `${server.url}/single` }),
    lagOf: lagLookup('weather'),
    now: () => at(now)
  })
  const fetch = async (change: Partial<CovariateRequest>) =>
    await provider.fetch({
      kind: 'weather',
      key: berlin,
      variables: ['temperature_2m'],
      startMs: at('2025-06-01'),
      endMs: at('2025-06-25'),
      cutoffMs: at('2025-06-15'),
      mode: 'as_of',
      signal,
      ...change
    })
  return { server, provider, fetch }
}

t.test('latest: the archive, then the forecast of now', async (t) => {
  const { server, fetch } = await weatherAt(t, '2025-06-20T12:00:00Z')
  const { observations: [temperature], missing } = await fetch({ mode: 'latest' })
  t.strictSame(missing, [])
  t.strictSame(
    server.asked.map((
      { path, query }
    ) => [path, query['start_date'], query['end_date'], query['timeformat'], query['latitude'], query['apikey']]),
    [
      ['/archive/v1/archive', '2025-06-01', '2025-06-15', 'unixtime', '52.5200', 'k'],
      ['/forecast/v1/forecast', '2025-06-15', '2025-06-25', 'unixtime', '52.5200', 'k']
    ]
  )
  t.equal(temperature!.frequency, 'PT1H')
  const chosen = asOf(temperature!, {
    cutoffMs: 0,
    pointInTime: false,
    requirePublished: false,
    lag: lagLookup('weather')('temperature_2m')
  })
  t.equal(chosen.values.length, 24 * 24, 'every hour once')
  t.strictSame([chosen.values[0], chosen.values[14 * 24 - 1], chosen.values[14 * 24], chosen.values.at(-1)], [1, 1, 2,
    2])
})

t.test('as of a cutoff: the forecast that was out, with the shortest lead', async (t) => {
  const { server, fetch } = await weatherAt(t, '2025-08-01T00:00:00Z')
  const cutoffMs = at('2025-06-15T00:00:00Z')
  const { observations: [temperature] } = await fetch({ cutoffMs })
  t.strictSame(server.asked.map(({ path }) => path), ['/archive/v1/archive', '/previous/v1/forecast'])
  t.equal(server.asked[1]!.query['hourly']!.split(',').length, 8)
  const chosen = asOf(temperature!, {
    cutoffMs,
    pointInTime: true,
    requirePublished: false,
    lag: lagLookup('weather')('temperature_2m')
  })
  const value = (time: string) => chosen.values[chosen.validTimeMs.indexOf(at(time))]
  t.equal(value('2025-06-09T22:00:00Z'), 1, 'the archive had it')
  t.equal(value('2025-06-10T00:00:00Z'), 100, 'younger than the archive: the shortest lead')
  t.equal(value('2025-06-14T18:00:00Z'), 100)
  t.equal(value('2025-06-14T19:00:00Z'), 101, 'a run of that day was not public yet')
  t.equal(value('2025-06-15T18:00:00Z'), 101)
  t.equal(value('2025-06-15T19:00:00Z'), 102)
  t.equal(value('2025-06-21T18:00:00Z'), 107)
  t.equal(value('2025-06-21T19:00:00Z'), undefined, 'further ahead nothing is kept')
  t.ok(chosen.publishedAtMs.every((time) => time <= cutoffMs))
})

t.test('as of a cutoff: the last long run that was public then looks further ahead', async (t) => {
  const { server, fetch } = await weatherAt(t, '2026-08-01T00:00:00Z')
  const cutoffMs = at('2026-06-15T17:00:00Z')
  const { observations: [temperature] } = await fetch({ cutoffMs, startMs: at('2026-06-01'), endMs: at('2026-07-05') })
  t.strictSame(server.asked.map(({ path, query }) => [path, query['run'], query['forecast_days']]), [
    ['/archive/v1/archive', undefined, undefined],
    ['/previous/v1/forecast', undefined, undefined],
    ['/single/v1/forecast', '2026-06-15T00:00', '16']
  ], 'the run of 12 UTC came an hour too late')
  const chosen = asOf(temperature!, {
    cutoffMs,
    pointInTime: true,
    requirePublished: false,
    lag: lagLookup('weather')('temperature_2m')
  })
  const value = (time: string) => chosen.values[chosen.validTimeMs.indexOf(at(time))]
  t.equal(value('2026-06-15T10:00:00Z'), 100, 'the shortest lead, where that was public')
  t.equal(value('2026-06-16T10:00:00Z'), 101, 'a lead of a day may be a run of that morning')
  t.equal(value('2026-06-16T12:00:00Z'), 3, 'which a lead of two days is not')
  t.equal(value('2026-06-30T23:00:00Z'), 3)
  t.equal(value('2026-07-01T00:00:00Z'), undefined)
})

t.test('as of a cutoff that is now, the forecast of now counts', async (t) => {
  const now = new Date().toISOString()
  const { server, fetch } = await weatherAt(t, now)
  const startMs = at(now) - 20 * dayMs
  const { observations: [temperature] } = await fetch({
    cutoffMs: at(now) + dayMs,
    startMs,
    endMs: at(now) + 10 * dayMs
  })
  t.strictSame(server.asked.map(({ path }) => path), ['/archive/v1/archive', '/forecast/v1/forecast'])
  const chosen = asOf(temperature!, {
    cutoffMs: at(now) + dayMs,
    pointInTime: true,
    requirePublished: false,
    lag: lagLookup('weather')('temperature_2m')
  })
  t.equal(chosen.values.length, 30 * 24)
})

t.test('before earlier forecasts were kept there is the archive alone', async (t) => {
  const { server, fetch } = await weatherAt(t, '2025-08-01T00:00:00Z')
  await fetch({ startMs: at('2022-06-01'), endMs: at('2022-06-25'), cutoffMs: at('2022-06-15') })
  t.strictSame(server.asked.map(({ path }) => path), ['/archive/v1/archive'])
})

t.test('totals of the preceding hour belong to the hour that they are about', async (t) => {
  const { fetch } = await weatherAt(t, '2025-08-01T00:00:00Z', (_path, _name, timeMs) => timeMs / hourMs)
  const { observations } = await fetch({
    variables: ['temperature_2m', 'precipitation'],
    startMs: at('2025-06-01'),
    endMs: at('2025-06-02'),
    mode: 'latest'
  })
  const [temperature, rain] = observations
  t.equal(temperature!.values[0], at('2025-06-01') / hourMs)
  t.equal(rain!.values[0], at('2025-06-01') / hourMs + 1)
  t.equal(rain!.values.length, 24, 'the last hour too')
})

t.test('nulls are gaps; a variable that has nothing is missing', async (t) => {
  const { fetch } = await weatherAt(t, '2025-08-01T00:00:00Z',
    (_path, name, timeMs) => name === 'rain' || timeMs % dayMs === 0 ? null : 1)
  const { observations, missing } = await fetch({
    variables: ['temperature_2m', 'rain'],
    mode: 'latest',
    endMs: at('2025-06-03')
  })
  t.equal(observations.length, 1)
  t.equal(observations[0]!.values.filter(Number.isNaN).length, 2)
  t.strictSame(missing, [{ variable: 'rain', reason: 'the provider has no values for this place and time' }])
})

t.test('answers that are not as documented', async (t) => {
  const good = { utc_offset_seconds: 0, hourly: { time: [0, 3600], temperature_2m: [1, 2] } }
  const bad: Array<[string, unknown]> = [
    ['another zone', { ...good, utc_offset_seconds: 3600 }],
    ['lengths differ', { ...good, hourly: { time: [0, 3600], temperature_2m: [1] } }],
    ['times fall', { ...good, hourly: { time: [3600, 0], temperature_2m: [1, 2] } }],
    ['text', { ...good, hourly: { time: [0], temperature_2m: ['1'] } }],
    ['no time', { ...good, hourly: { temperature_2m: [1] } }],
    ['a list', []],
    ['null', null],
    ['nested', { ...good, hourly: { time: [0], temperature_2m: [[1]] } }]
  ]
  for (const [name, answer] of bad) {
    const server = await openProviderServer(t, (response) => sendJson(response, JSON.stringify(answer)))
    const source = server.source()
    const provider = openMeteoWeather({
      id: 'x',
      forecast: source,
      archive: source,
      previousRuns: null,
      singleRuns: null,
      lagOf: lagLookup('weather'),
      now: () => at('2025-08-01')
    })
    await t.rejects(
      provider.fetch({
        kind: 'weather',
        key: berlin,
        variables: ['temperature_2m'],
        startMs: 0,
        endMs: dayMs,
        cutoffMs: 0,
        mode: 'latest',
        signal
      }),
      { code: 'INVALID_ANSWER' } as never,
      name
    )
  }
})

t.test('a refusal is not shown, a refused key is told', async (t) => {
  const refuse = async (reason: string) => {
    const server = await openProviderServer(t, (response) => sendJson(response, { error: true, reason }, 400))
    return await geocode(server.source(), 'Berlin', signal).catch((error: unknown) => error as Error & { code: string })
  }
  const refused = await refuse('Cannot initialize WeatherVariable <script>') as Error & { code: string }
  t.equal(refused.code, 'REQUEST_REFUSED')
  t.notMatch(refused.message, /script/)
  t.match(await refuse('The supplied API key is invalid.'), { code: 'AUTHENTICATION_FAILED' })
})

t.test('air quality: what lies ahead was published when it was fetched', async (t) => {
  const server = await openProviderServer(t, (response, { query }) => sendJson(response, hourly(query, () => 12)))
  const provider = openMeteoAirQuality({ id: 'x', source: server.source(), lagOf: lagLookup('air_quality') })
  const nowMs = Math.floor(Date.now() / hourMs) * hourMs
  const ask = async (startMs: number, endMs: number) =>
    await provider.fetch({
      kind: 'air_quality',
      key: berlin,
      variables: ['pm2_5'],
      startMs,
      endMs,
      cutoffMs: nowMs,
      mode: 'as_of',
      signal
    })
  const { observations: [pm] } = await ask(nowMs - 2 * dayMs, nowMs + 10 * dayMs)
  t.ok(pm!.validTimeMs.at(-1)! <= nowMs + 6 * dayMs)
  const rules = { pointInTime: true, requirePublished: false, lag: lagLookup('air_quality')('pm2_5') }
  t.equal(asOf(pm!, { ...rules, cutoffMs: nowMs }).values.length, 24, 'a day of it had been published')
  t.ok(asOf(pm!, { ...rules, cutoffMs: Date.now() + hourMs }).values.length > 24 + 4 * 24)
  t.match(await ask(nowMs + 20 * dayMs, nowMs + 30 * dayMs), {
    observations: [],
    missing: [{ variable: 'pm2_5', reason: 'the provider looks five days ahead' }]
  })
})

t.test('geocoding: places, and none', async (t) => {
  const server = await openProviderServer(t, (response, { query }) =>
    sendJson(response, query['name'] === 'Nowhere'
      ? { generationtime_ms: 0.1 }
      : {
        results: [{
          id: 1,
          name: 'Entenhausen',
          latitude: 48.1,
          longitude: 11.5,
          country_code: 'DE',
          admin1: 'Bayern',
          timezone: 'Europe/Berlin',
          population: 12
        }, { id: 2, name: 'Entenhausen', latitude: 1, longitude: 2 }]
      }))
  t.strictSame(await geocode(server.source(), 'Nowhere', signal), [])
  t.match(await geocode(server.source(), 'Entenhausen', signal), [{
    name: 'Entenhausen',
    country: 'DE',
    admin1: 'Bayern',
    population: 12
  }, { country: '', admin1: null, timezone: null, population: 0 }])
  const wrong = await openProviderServer(t,
    (response) => sendJson(response, { results: [{ name: 'x', latitude: 91, longitude: 0 }] }))
  await t.rejects(geocode(wrong.source(), 'x', signal), { code: 'INVALID_ANSWER' } as never)
})
