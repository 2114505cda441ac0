import { createHash } from 'node:crypto'
import t from 'tap'
import { loadConfig } from '../../../src/platform/config.ts'
import { kinds } from '../../../src/sources/covariates/covariate-key.ts'
import { holidays } from '../../../src/sources/covariates/holidays.ts'
import { ProviderError } from '../../../src/sources/covariates/provider-error.ts'
import { ProviderNetwork } from '../../../src/sources/covariates/provider-network.ts'
import { openRegistry, ProviderRegistry,
  type RegistryOptions } from '../../../src/sources/covariates/provider-registry.ts'
import { readProvidersFile } from '../../../src/sources/covariates/providers-file.ts'
import { chooseVariables } from '../../../src/sources/covariates/variables.ts'
import { openProviderServer, sendJson } from '../../support/provider-server.ts'

const host = 'http://127.0.0.1:1'
const full = {
  providers: [
    {
      id: 'open-meteo',
      type: 'open_meteo',
      base_urls: { forecast: host, archive: host, previous_runs: host, air_quality: host, geocoding: host },
      api_key: 'canary-secret'
    },
    {
      id: 'fred',
      type: 'fred',
      base_url: host,
      api_key: 'canary-secret',
      series: { cpi: 'CPILFESL', ppi: 'PPIACO' },
      lags: { cpi: { after_period_hours: 400 } }
    },
    { id: 'ecb', type: 'ecb', base_url: host },
    { id: 'energy-charts', type: 'energy_charts', base_url: host },
    { id: 'entsoe', type: 'entsoe', base_url: host, security_token: 'canary-secret', requests_per_minute: 400 },
    { id: 'digitraffic', type: 'digitraffic', base_url: host }
  ]
}
const read = (value: unknown) =>
  readProvidersFile('TABCAST_COVARIATES_FILE', 'p.json', typeof value === 'string' ? value : JSON.stringify(value))
const open = async (change: Partial<RegistryOptions> = {}) => {
  const { entries = read(full) } = change
  const network = new ProviderNetwork({ entries, config: loadConfig({}) })
  const registry = openRegistry({
    entries,
    catalogDirectory: null,
    egress: 'allowed',
    sourceAt: (id, baseUrl) => network.source(id, baseUrl)!,
    ...change
  })
  await registry.refresh()
  return registry
}
const berlin = { latitude: 52.52, longitude: 13.4 }

t.test('the file of providers, with its defaults', async (t) => {
  const entries = read(full)
  t.strictSame(entries.map(({ id }) => id), ['open-meteo', 'fred', 'ecb', 'energy-charts', 'entsoe', 'digitraffic'])
  t.match(entries[0], { timeout_ms: 30_000, max_answer_bytes: 67_108_864, requests_per_minute: 60 })
  t.equal(entries[4]!.requests_per_minute, 400)
})

t.test('a wrong file stops the start with setting, place and remedy, and without keys', async (t) => {
  const entry = full.providers[1]!
  const wrong: Array<[unknown, RegExp]> = [
    ['{"api_key": "canary-secret"', /is not JSON; the file looks like/],
    ['{"__proto__": {}}', /is not JSON/],
    [[], /must be an object with a list "providers"/],
    [{ providers: {} }, /list "providers"/],
    [{ ...full, more: 1 }, /nothing else/],
    [{ providers: [{ id: 'x', type: 'weather_com' }] },
      /providers\[0\]\.type is not a known provider; one of open_meteo, fred/],
    [{ providers: [null] }, /providers\[0\]\.type/],
    [{ providers: [{ ...entry, type: 'constructor' }] }, /type is not a known/],
    [{ providers: [{ ...entry, base_url: 'ftp://x' }] }, /providers\[0\]\.base_url/],
    [{ providers: [{ ...entry, base_url: 'http://u:p@x' }] }, /base_url/],
    [{ providers: [{ ...entry, api_key: undefined }] }, /providers\[0\].*api_key/],
    [{ providers: [{ ...entry, timeout: 1 }] }, /providers\[0\] must not have additional properties: timeout \(/],
    [{ providers: [{ ...entry, timeout_ms: '30' }] }, /timeout_ms/],
    [{ providers: [entry, entry] }, /the id "fred" is used twice/],
    [{ providers: [{ ...entry, id: 'auto' }] }, /"auto"/],
    [{ providers: [{ ...entry, lags: { cpi: { day_before: { time: '12:45', timezone: 'Brussels' } } } }] },
      /lags\.cpi\.day_before\.timezone is not a time zone/],
    [{ providers: [{ ...entry, lags: { cpi: { weeks: 2 } } }] }, /lags/],
    [{ providers: [{ ...entry, series: { CPI: 'X' } }] }, /series/],
    [{ providers: Array.from({ length: 51 }, (_, index) => ({ ...entry, id: `f${index}` })) }, /more than 50/]
  ]
  for (const [value, message] of wrong) {
    try {
      read(value)
      t.fail(String(message))
    } catch (error) {
      t.match(error, { name: 'ConfigError', message })
      t.match((error as Error).message, /^TABCAST_COVARIATES_FILE=p\.json: /)
      t.notMatch((error as Error).message, /canary/)
    }
  }
})

t.test('the first that covers the key, or the one that is named', async (t) => {
  const registry = await open()
  t.strictSame(registry.ids('electricity'), ['auto', 'energy-charts', 'entsoe'])
  t.match(await registry.choose('electricity', 'auto', { zone: 'DE-LU' }, []), { provider: { id: 'energy-charts' } })
  t.match(await registry.choose('electricity', 'auto', { zone: '10Y1001A1001A82H' }, []), {
    provider: { id: 'entsoe' }
  })
  t.match(await registry.choose('electricity', 'entsoe', { zone: 'DE-LU' }, []), { provider: { id: 'entsoe' } })
  t.match(await registry.choose('electricity', 'auto', { zone: '?' }, []), {
    provider: null,
    reason: 'no source of electricity covers what was asked for: energy-charts, entsoe'
  })
  await t.rejects(registry.choose('weather', 'other', berlin, []), {
    name: 'CovariateInputError',
    field: 'weather.source',
    message: '"other" is not a configured source of weather; one of auto, open-meteo'
  } as never)
  t.match(await registry.choose('holidays', 'auto', { country: 'DE', subdivision: null, timeZone: null }, []), {
    provider: { id: 'calendar', transport: 'builtin' }
  })
  t.ok(kinds.every((kind) => registry.isAvailable(kind)))
  const { provider } = await registry.choose('macro', 'fred', {}, [])
  t.strictSame(provider!.lagOf('cpi'), { after_period_hours: 400 })
  const none = await open({ entries: [] })
  t.match(await none.choose('weather', 'auto', berlin, []), {
    provider: null,
    reason: 'no source of weather is configured on this deployment'
  })
  t.equal(none.isAvailable('weather'), false)
  t.equal(none.geocode, null)
})

t.test('without egress nothing is asked; what is mounted and built in goes on', async (t) => {
  const csv = 'valid_time,temperature_2m\n2025-04-01,1\n'
  const manifest = {
    schema_version: 1,
    kind: 'weather',
    provider: 'mirror',
    key: '52.5,13.4',
    variables: [{ name: 'temperature_2m', unit: '°C' }],
    freq: 'PT1H',
    timezone: 'UTC',
    coverage: { start: '2025-01-01', end: '2025-12-31' },
    vintages: false,
    license: 'CC BY 4.0',
    generated_at: '2025-06-01T00:00:00Z',
    parts: [{ file: 'part-1.csv', sha256: createHash('sha256').update(csv).digest('hex') }]
  }
  const catalogDirectory = t.testdir({
    weather: { mirror: { '52.5,13.4': { 'manifest.json': JSON.stringify(manifest), 'part-1.csv': csv } } }
  })
  const registry = await open({ egress: 'none', catalogDirectory })
  t.match(await registry.choose('weather', 'auto', berlin, []), { provider: { id: 'mirror' } })
  t.match(await registry.choose('weather', 'auto', { latitude: 53, longitude: 13.4 }, []), {
    provider: null,
    reason:
      'no source of weather covers what was asked for: mirror (its nearest place, 52.5,13.4, is 56 km from 53,13.4, ' +
      'and at most 25 km count)'
  })
  t.strictSame(await registry.others('weather', berlin, 'precipitation', 'open-meteo'), ['mirror'])
  t.strictSame(await registry.others('weather', berlin, 'precipitation', 'mirror'), [],
    'what cannot be reached is not offered')
  t.match(await registry.choose('weather', 'open-meteo', berlin, []), {
    provider: null,
    reason: /makes no requests to the outside/
  })
  t.strictSame(kinds.filter((kind) => registry.isAvailable(kind)), ['weather', 'holidays'])
  t.equal(registry.geocode, null)
  t.match(await (await open({ catalogDirectory })).choose('weather', 'auto', { latitude: 0, longitude: 0 }, []), {
    provider: { id: 'open-meteo' }
  }, 'with egress the next in turn')
})

t.test('a mounted folder without the series is passed over', async (t) => {
  const registry = await open({ catalogDirectory: t.testdir({ macro: { mirror: { cpi: {} } } }) })
  t.match(await registry.choose('macro', 'auto', {}, ['cpi', 'gdp']), { provider: { id: 'mirror' } },
    'one of them is there')
  t.match(await registry.choose('macro', 'auto', {}, ['gdp']), { provider: { id: 'fred' } })
  t.match(await registry.choose('macro', 'mirror', {}, ['gdp']), {
    provider: null,
    reason: 'no source of macro covers what was asked for: mirror'
  })
})

t.test("the operator's addresses, keys and series are used", async (t) => {
  const server = await openProviderServer(t, (response, { path, query }) => {
    if (path.endsWith('/search')) {
      sendJson(response, { results: [{ name: 'Entenhausen', latitude: 48, longitude: 11 }] })
    } else {sendJson(response, {
        count: 1,
        limit: 100_000,
        observations: [{
          realtime_start: query['realtime_start'],
          realtime_end: query['realtime_end'],
          date: '2025-01-01',
          value: '1'
        }]
      })}
  })
  const urls = { forecast: server.url, archive: server.url, geocoding: `${server.url}/mirror` }
  const entries = read({
    providers: [{ ...full.providers[1], base_url: `${server.url}/fred-mirror/` }, {
      id: 'om',
      type: 'open_meteo',
      base_urls: urls
    }]
  })
  const registry = await open({ entries })
  const { provider } = await registry.choose('macro', 'auto', {}, ['cpi'])
  t.strictSame(chooseVariables('macro', ['ppi'], registry.aliases('macro')), ['ppi'])
  t.throws(() => chooseVariables('macro', ['ppi']), { name: 'CovariateInputError' })
  const signal = new AbortController().signal
  const { observations } = await provider!.fetch({
    kind: 'macro',
    key: {},
    variables: ['cpi', 'ppi', 'gdp'],
    startMs: Date.parse('2025-01-01'),
    endMs: Date.parse('2025-02-01'),
    cutoffMs: Date.parse('2025-03-01'),
    mode: 'as_of',
    signal
  })
  t.equal(observations.length, 3)
  t.strictSame(server.asked.map(({ path, query }) => [path, query['series_id'], query['api_key']]),
    ['CPILFESL', 'PPIACO', 'GDPC1'].map((id) => ['/fred-mirror/fred/series/observations', id, 'canary-secret']))
  t.match(await registry.geocode!('Entenhausen', signal), [{ name: 'Entenhausen', latitude: 48 }])
  t.equal(server.asked.at(-1)!.path, '/mirror/v1/search')
})

t.test('whoever asks while the catalogue is listed waits for it, and a listing that failed is tried again', async (t) => {
  let [listings, fails] = [0, true]
  const mounted = { ...holidays('mounted'), kind: 'weather' as const }
  const registry = new ProviderRegistry([], async () => {
    listings++
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
    if (fails) throw new ProviderError('catalog', 'CATALOG_DAMAGED')
    return [mounted]
  }, 'none', null)
  const results = await Promise.allSettled([registry.refresh(), registry.refresh()])
  t.strictSame(results.map(({ status }) => status), ['rejected', 'rejected'])
  t.match(await registry.choose('weather', 'auto', { latitude: 0, longitude: 0 }, []), {
    provider: null,
    reason: /catalog has a folder/
  })
  fails = false
  await Promise.all(Array.from({ length: 8 }, async () => {
    await registry.refresh()
    t.strictSame(registry.ids('weather'), ['auto', 'mounted'])
  }))
  t.equal(listings, 2)
})
