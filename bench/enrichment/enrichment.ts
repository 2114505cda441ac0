import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ExternalCovariatesSpec } from '../../src/domain/external-covariates-spec.ts'
import type { ForecastSpec } from '../../src/domain/forecast-spec.ts'
import { check, keepDataset, prepare, survey, type CheckOptions } from '../../src/engine/index.ts'
import { loadConfig } from '../../src/platform/config.ts'
import { gatherCovariates } from '../../src/sources/covariates/gather/gather-covariates.ts'
import { configuredRegistry } from '../../src/sources/covariates/provider-registry.ts'
import { writeCatalogKey } from '../../test/support/catalog.ts'
import { uniform } from '../../test/support/random.ts'
import type { Bench } from '../bench.ts'
import { median } from '../quantile.ts'

const hourMs = 3_600_000
const firstMs = Date.UTC(2023, 0, 1)
const horizon = 24
const variables = ['temperature_2m', 'precipitation', 'wind_speed_10m']
const rounds = 3
const limits = {
  maxRows: 2e8,
  maxColumns: 500,
  maxSeries: 2e6,
  maxCellChars: 32_768,
  maxForecastPoints: 5e7,
  maxOutputBytes: 2 ** 34
}
const spec: ForecastSpec = {
  predictionLength: horizon,
  preset: 'fast',
  columns: { itemId: 'item_id', timestamp: 'timestamp', target: 'target' },
  freq: null,
  quantileLevels: [0.5],
  timestampFormat: 'pandas',
  quantileColumnStyle: 'raw'
}
const weather: ExternalCovariatesSpec = {
  kind: 'weather',
  variables,
  source: 'auto',
  pointInTime: true,
  requireCoverage: true,
  requirePublished: true,
  futureStrategy: null,
  where: { type: 'columns', latitude: 'latitude', longitude: 'longitude' }
}

/**
 * What weather from a mounted catalogue adds to the time of a forecast: finding it on the steps of the series, and
 * putting it beside their rows.
 */
export const benchEnrichment: Bench = async ({ trial, folder, log }) => {
  const [series, length, places] = trial ? [20, 500, 4] : [1_000, 17_520, 20]
  const catalog = join(folder, 'catalog')
  for (let place = 0; place < places; place++) {
    await writeCatalogKey(catalog, {
      kind: 'weather',
      key: keyOf(place),
      variables,
      freq: 'PT1H',
      rows: weatherRows(place, length + horizon)
    })
  }
  log(`writing ${(series * length).toLocaleString('en')} rows`)
  const csv = join(folder, 'panel.csv')
  await pipeline(Readable.from(panel(series, length, places)), createWriteStream(csv))
  const parquet = join(folder, 'panel.parquet')
  const located = { ...spec, columns: { ...spec.columns, covariates: ['latitude', 'longitude'] } }
  const options: CheckOptions = {
    inputPaths: [csv],
    format: 'csv',
    compression: null,
    spec: located,
    limits,
    threads: 2
  }
  await prepare({
    ...options,
    preparation: { filters: [], step: null, aggregate: 'sum', missing: 'none', anomalies: 'none' },
    preparedPath: parquet
  })
  const input: CheckOptions = { ...options, inputPaths: [parquet], format: 'parquet', spec }
  const enriched: CheckOptions = { ...input, spec: { ...spec, externalCovariates: [weather] } }

  const registry = configuredRegistry(loadConfig({ TABCAST_COVARIATES_DIR: catalog }))
  const times: Array<{ plain: number, survey: number, gather: number, loaded: number }> = []
  for (let round = 0; round < (trial ? 1 : rounds); round++) {
    const valuesPath = join(folder, `values-${round}`)
    const [plain] = await timed(() => check(input))
    const [surveying, grids] = await timed(() => survey(enriched, keepDataset()))
    const [gather] = await timed(() =>
      gatherCovariates({
        specs: [weather],
        survey: grids,
        registry,
        path: valuesPath,
        signal: new AbortController().signal,
        patienceMs: 600_000
      })
    )
    const [loaded] = await timed(() => check({ ...enriched, valuesPath }))
    if (grids.grids.length !== places) throw new Error(`${grids.grids.length} grids for ${places} places`)
    times.push({ plain, survey: surveying, gather, loaded })
    log(`round ${round + 1}: ${[plain, surveying, gather, loaded].map((seconds) => seconds.toFixed(2)).join(', ')}`)
  }
  const of = (seconds: (one: typeof times[number]) => number): number => median(times.map(seconds))
  const what = `${
    series.toLocaleString('en')
  } series of two years of hours in ${places} places, ${variables.length} variables`
  return [
    // The rows that the survey reads are those that the forecast is made of: they are read once, as without covariates.
    {
      what: `${what}: found in the catalogue and put beside the rows`,
      figure: of(({ plain, gather, loaded }) => gather + Math.max(0, loaded - plain)),
      unit: 's',
      gate: { atMost: 2 }
    },
    {
      what: 'of which found, as of the last observation, on the steps of the series',
      figure: of(({ gather }) => gather),
      unit: 's'
    },
    { what: 'of which put beside the rows', figure: of(({ plain, loaded }) => Math.max(0, loaded - plain)), unit: 's' },
    { what: 'the same dataset read and checked without them', figure: of(({ plain }) => plain), unit: 's' },
    { what: 'read for its places and steps', figure: of((one) => one.survey), unit: 's' }
  ]
}

const keyOf = (place: number): string => `${(40 + place).toFixed(1)},${(10 + place).toFixed(1)}`

/** Published three days ahead, as forecasts of weather are. */
function weatherRows (place: number, hours: number): string[] {
  const random = uniform(place + 1)
  const rows = Array.from({ length: hours }, (_, hour) => {
    const time = firstMs + hour * hourMs
    return `${new Date(time).toISOString()},${new Date(time - 72 * hourMs).toISOString()},${
      variables.map(() => (random() * 30).toFixed(1)).join(',')
    }`
  })
  return [`valid_time,published_at,${variables.join(',')}`, ...rows]
}

function* panel (series: number, length: number, places: number): Generator<string> {
  yield 'item_id,timestamp,target,latitude,longitude\n'
  const stamps = Array.from({ length }, (_, hour) => new Date(firstMs + hour * hourMs).toISOString())
  for (let item = 0; item < series; item++) {
    const random = uniform(item + 1)
    const [latitude = '', longitude = ''] = keyOf(item % places).split(',')
    yield stamps.map((stamp, hour) =>
      `series_${item},${stamp},${(100 + hour % 24 + random()).toFixed(2)},${latitude},${longitude}\n`
    ).join('')
  }
}

async function timed<T> (work: () => Promise<T>): Promise<[number, T]> {
  const startedMs = performance.now()
  const result = await work()
  return [(performance.now() - startedMs) / 1000, result]
}
