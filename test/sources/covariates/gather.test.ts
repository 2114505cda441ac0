import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { CovariateSurvey, ExternalCovariatesSpec,
  FutureStrategy } from '../../../src/domain/external-covariates-spec.ts'
import { CovariateInputError } from '../../../src/sources/covariates/covariate-input-error.ts'
import type { Kind } from '../../../src/sources/covariates/covariate-key.ts'
import { checkSpan } from '../../../src/sources/covariates/covariate-spans.ts'
import { lagLookup } from '../../../src/sources/covariates/default-lags.ts'
import { gatherCovariates } from '../../../src/sources/covariates/gather/gather-covariates.ts'
import { readValuesDocument, type ValuesDocument } from '../../../src/sources/covariates/gather/values-file.ts'
import { observationsOf, type Frequency } from '../../../src/sources/covariates/observations.ts'
import { ProviderError } from '../../../src/sources/covariates/provider-error.ts'
import { ProviderRegistry } from '../../../src/sources/covariates/provider-registry.ts'
import type { CovariateRequest, Provider } from '../../../src/sources/covariates/provider.ts'
import type { PublicationLag } from '../../../src/sources/covariates/publication-lag.ts'
import { aggregateOf, chooseVariables } from '../../../src/sources/covariates/variables.ts'
import { uniform } from '../../support/random.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface Row {
  validMs: number
  value: number
  publishedMs: number
}

/** A provider of these rows; NaN as a time of publication: it does not know. */
function providerOf (kind: Kind, frequency: Frequency, rows: readonly Row[],
  transport: Provider['transport'] = 'catalog'): Provider {
  return {
    id: 'one',
    kind,
    transport,
    attribution: 'nobody',
    covers: () => true,
    lagOf: lagLookup(kind),
    fetch: async ({ variables, startMs, endMs }: CovariateRequest) => ({
      observations: variables.map((variable) =>
        observationsOf(variable, frequency, {
          validTimeMs: rows.map(({ validMs }) => validMs),
          values: rows.map(({ value }) => value),
          publishedAtMs: rows.map(({ publishedMs }) => publishedMs)
        }, { startMs, endMs })
      ),
      missing: []
    })
  }
}

/** The same, with a delay that is declared beside its values. */
function declaring (provider: Provider, lag: PublicationLag): Provider {
  return {
    ...provider,
    async fetch (request) {
      const answer = await provider.fetch(request)
      return { ...answer, observations: answer.observations.map((one) => ({ ...one, lag })) }
    }
  }
}

async function gathered (t: Test, specs: ExternalCovariatesSpec[], survey: CovariateSurvey, providers: Provider[],
  patienceMs = 600_000): Promise<{ values: Buffer, document: ValuesDocument }> {
  const path = join(t.testdir({}), 'values')
  await gatherCovariates({
    specs,
    survey,
    registry: new ProviderRegistry(providers, async () => [], 'allowed', null),
    path,
    signal: new AbortController().signal,
    patienceMs
  })
  const document = await readValuesDocument(path)
  const bytes = await readFile(path)
  return {
    values: bytes.subarray(0, 8 * document.columns.length * document.steps.reduce((sum, steps) => sum + steps, 0)),
    document
  }
}

const specOf = (kind: Kind, change: Partial<ExternalCovariatesSpec> = {}): ExternalCovariatesSpec => ({
  kind,
  variables: chooseVariables(kind, undefined),
  source: 'auto',
  pointInTime: true,
  requireCoverage: false,
  requirePublished: false,
  futureStrategy: null,
  where: { type: 'series' },
  ...change
})

const steps: Array<{ freq: string, label: (index: number) => number, season: number }> = [
  { freq: '30min', label: (index) => index * hourMs / 2, season: 48 },
  { freq: 'h', label: (index) => index * hourMs, season: 24 },
  { freq: 'D', label: (index) => index * dayMs, season: 7 },
  { freq: 'W-SUN', label: (index) => (3 + 7 * index) * dayMs, season: 52 },
  { freq: 'MS', label: (index) => Date.UTC(1970, index, 1), season: 12 },
  { freq: 'ME', label: (index) => Date.UTC(1970, index + 1, 0), season: 12 }
]
const frequencies: Frequency[] = ['PT30M', 'PT1H', 'P1D', 'P1M']
const lengths: Partial<Record<Frequency, number>> = { PT30M: hourMs / 2, PT1H: hourMs, P1D: dayMs }
const strategies: Array<FutureStrategy | null> = [null, 'forward_fill_latest', 'seasonal_naive', 'none']

t.test('values that were published after the last observation change nothing, whatever they are', async (t) => {
  const random = uniform(20_261_123)
  const below = (most: number): number => Math.floor(random() * most)
  let changed = 0
  for (let round = 0; round < 300; round++) {
    const { freq, label, season } = steps[below(steps.length)]!
    const frequency = frequencies[below(frequencies.length)]!
    const kind = (['weather', 'rates', 'macro', 'electricity', 'air_quality', 'transport'] as const)[below(6)]!
    const [history, ahead] = [5 + below(40), 1 + below(12)]
    const survey: CovariateSurvey = {
      freq,
      season,
      axes: [Array.from({ length: history + ahead }, (_, index) => label(index))],
      // A shorter series, and one that goes to the end.
      grids: [{ place: null, axis: 0, first: 0, history: history - 3, ahead: ahead + 3 }, {
        place: null,
        axis: 0,
        first: 0,
        history,
        ahead
      }]
    }
    const endMs = label(history + ahead)
    const count = Math.min(4_000, Math.ceil((endMs + 30 * dayMs) / (lengths[frequency] ?? 30 * dayMs)))
    const at = (index: number): number =>
      lengths[frequency] === undefined ? Date.UTC(1970, index, 1) : index * lengths[frequency]
    const rows = Array.from({ length: 2 * count }, (_, row): Row => {
      const validMs = at(row >> 1)
      const publishedMs = random() < 0.1 ? NaN : validMs + (random() - 0.7) * endMs
      return { validMs, value: random() < 0.1 ? NaN : random() * 100, publishedMs }
    })
    const spec = specOf(kind, {
      futureStrategy: strategies[below(strategies.length)]!,
      requirePublished: random() < 0.3,
      variables: chooseVariables(kind, undefined).slice(0, 1)
    })
    const cutoffMs = label(history - 1)
    // What a declared delay says of a value without a time of publication may lie after the last observation, too.
    const isLater = ({ publishedMs }: Row): boolean => publishedMs > cutoffMs
    const other = [...rows.map((row) => isLater(row) ? { ...row, value: random() * 1e6 } : row),
      ...Array.from({ length: 50 },
        () => ({ validMs: at(below(count)), value: 1e9, publishedMs: cutoffMs + 1 + random() * dayMs }))]
      .filter((row) => !isLater(row) || random() < 0.8)
    const [one, two] = [await gathered(t, [spec], survey, [providerOf(kind, frequency, rows)]),
      await gathered(t, [spec], survey, [providerOf(kind, frequency, other)])]
    if (!one.values.equals(two.values) ||
      JSON.stringify(one.document.columns) !== JSON.stringify(two.document.columns)) {
      changed++
      t.fail(`${kind}, ${freq} of ${frequency}, ${spec.futureStrategy}: the values differ`)
    }
    const snapshots = [one, two].map(({ document: { report } }) => report.sources.map(({ snapshotId }) => snapshotId))
    if (JSON.stringify(snapshots[0]) !== JSON.stringify(snapshots[1])) {
      t.fail(`${kind}, ${freq} of ${frequency}: the snapshots differ`)
    }
  }
  t.equal(changed, 0)
})

t.test('a series that ended earlier sees what was known then', async (t) => {
  const survey: CovariateSurvey = {
    freq: 'D',
    season: 7,
    axes: [Array.from({ length: 12 }, (_, day) => day * dayMs)],
    grids: [{ place: null, axis: 0, first: 0, history: 5, ahead: 2 }, {
      place: null,
      axis: 0,
      first: 0,
      history: 10,
      ahead: 2
    }]
  }
  // Each day is known at once, and corrected five days later.
  const rows = Array.from({ length: 12 },
    (_, day) => [{ validMs: day * dayMs, value: day, publishedMs: (day - 3) * dayMs }, {
      validMs: day * dayMs,
      value: 100 + day,
      publishedMs: (day + 5) * dayMs
    }]).flat()
  const { values, document } = await gathered(t, [specOf('weather', { variables: ['temperature_2m'] })], survey, [
    providerOf('weather', 'P1D', rows)
  ])
  const numbers = [...new Float64Array(values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength))]
  t.strictSame(numbers.slice(0, 7), [0, 1, 2, 3, 4, 5, 6], 'on the fifth day no day has been corrected yet')
  t.strictSame(numbers.slice(7), [100, 101, 102, 103, 104, 5, 6, 7, 8, 9, 10, 11])
  t.match(document.columns, [{ name: 'weather_temperature_2m', used: true, ahead: true }])
})

t.test('over the network each cutoff is asked for by itself, otherwise a place is asked once', async (t) => {
  const survey: CovariateSurvey = {
    freq: 'D',
    season: 7,
    axes: [Array.from({ length: 12 }, (_, day) => day * dayMs)],
    grids: [{ place: null, axis: 0, first: 0, history: 5, ahead: 2 }, {
      place: null,
      axis: 0,
      first: 0,
      history: 10,
      ahead: 2
    }]
  }
  const ask = async (transport: Provider['transport'], pointInTime: boolean) => {
    const asked: number[] = []
    const provider = providerOf('weather', 'P1D',
      Array.from({ length: 12 }, (_, day) => ({ validMs: day * dayMs, value: day, publishedMs: -1 })), transport)
    await gathered(t, [specOf('weather', { pointInTime })], survey, [{
      ...provider,
      fetch: async (request) => {
        asked.push(request.cutoffMs)
        return await provider.fetch(request)
      }
    }])
    return asked
  }
  t.strictSame(await ask('http', true), [4 * dayMs, 9 * dayMs])
  t.strictSame(await ask('http', false), [9 * dayMs])
  t.strictSame(await ask('catalog', true), [9 * dayMs])
})

t.test('one place without it, and the column is left out; one that does not know it ahead, and none counts ahead', async (t) => {
  const places = [{ latitude: 1, longitude: 1 }, { latitude: 2, longitude: 2 }]
  const survey: CovariateSurvey = {
    freq: 'D',
    season: 7,
    axes: [Array.from({ length: 12 }, (_, day) => day * dayMs)],
    grids: places.map((place) => ({ place, axis: 0, first: 0, history: 10, ahead: 2 }))
  }
  const days = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, day) => ({ validMs: (from + day) * dayMs, value: day, publishedMs: -1 }))
  const run = async (second: Row[]) => {
    const providers = [providerOf('weather', 'P1D', days(-2, 14)), providerOf('weather', 'P1D', second)]
    const both: Provider = {
      ...providers[0]!,
      fetch: async (request) =>
        await (providers[(request.key as { latitude: number }).latitude - 1] as Provider).fetch(request)
    }
    return (await gathered(t, [
      specOf('weather', { variables: ['temperature_2m'], where: { type: 'columns', latitude: 'a', longitude: 'b' } })
    ], survey, [both])).document
  }
  t.match(await run(days(-2, 14)), {
    columns: [{ used: true, ahead: true }],
    report: { sources: [{ status: 'used', places: 2, historyCoverage: 1, futureCoverage: 1 }] }
  })
  t.match(await run(days(-2, 10)), {
    columns: [{ used: true, ahead: false }],
    report: {
      columnsAdded: [],
      sources: [{ status: 'skipped', variablesUsed: [], futureCoverage: 0, reason: /not known for the whole horizon/ }]
    }
  })
  t.match(await run(days(6, 14)), {
    columns: [{ used: false }],
    report: { sources: [{ status: 'skipped', variablesUsed: [], reason: /temperature_2m: known for/ }] }
  })
})

t.test('values that a declared delay holds back are named, with what to do, and are not called used', async (t) => {
  const survey: CovariateSurvey = {
    freq: 'D',
    season: 7,
    axes: [Array.from({ length: 40 }, (_, day) => day * dayMs)],
    grids: [{ place: null, axis: 0, first: 0, history: 35, ahead: 5 }]
  }
  const undated = Array.from({ length: 42 }, (_, day) => ({ validMs: day * dayMs, value: day, publishedMs: NaN }))
  const run = async (spec: Partial<ExternalCovariatesSpec>, rows = undated,
    transport: Provider['transport'] = 'catalog', kind: Kind = 'weather') =>
    (await gathered(t, [specOf(kind, { variables: chooseVariables(kind, undefined).slice(0, 1), ...spec })], survey, [
      providerOf(kind, 'P1D', rows, transport)
    ])).document
  const delayed = await run({})
  t.match(delayed, {
    columns: [{ used: true, ahead: false }],
    report: { columnsAdded: [], sources: [{ status: 'skipped', variablesUsed: [], futureCoverage: 0 }] },
    warnings: [{ code: 'external_covariates_skipped', count: 1 }]
  })
  const text =
    /11 values were held back, because values without published_at count as known 5 days after the end of their interval; give published_at or issued_at in the catalogue, or set point_in_time to false/
  t.match(delayed.warnings[0]?.message, text)
  await t.rejects(run({ requireCoverage: true }), { message: text } as never)
  t.match((await run({ pointInTime: false })).report, {
    columnsAdded: ['weather_temperature_2m'],
    sources: [{ status: 'used', variablesUsed: ['temperature_2m'] }]
  })
  t.match((await run({ requirePublished: true })).warnings[0]?.message,
    /40 values were left out, because require_published takes only/)
  t.match((await run({}, undated, 'http')).warnings[0]?.message, /interval; set point_in_time to false$/)
  t.match((await run({}, undated, 'catalog', 'macro')).warnings[0]?.message,
    /40 values were held back, because values without published_at count as known 42 days after .*; give published_at in the catalogue$/)
  t.match((await run({}, undated, 'http', 'electricity')).warnings[0]?.message,
    /count as known from 12:45 \(Europe\/Brussels\) of the day before/)
  t.match((await run({}, undated.map((row) => ({ ...row, publishedMs: row.validMs })))).warnings[0]?.message,
    /5 values were published after the last observation, which is the begin of the last step \(1970-02-04T00:00:00Z; the first of them at 1970-02-05T00:00:00Z\)$/)
  const declared = (lag: PublicationLag) =>
    gathered(t, [specOf('weather', { variables: ['temperature_2m'] })], survey, [
      declaring(providerOf('weather', 'P1D', undated), lag)
    ])
  t.match((await declared({ after_period_hours: 48 })).document.warnings[0]?.message,
    /8 values were held back, because values without published_at count as known 2 days after/)
  t.match((await declared({ always: true })).document.report, { columnsAdded: ['weather_temperature_2m'] })
  t.match((await run({}, undated.slice(0, 20))).warnings[0]?.message,
    /known for 57\.1 % of the history; 80 % are needed$/, 'what there is not is not held back')
})

t.test('a place that nobody covers is named; so is a source that can be asked for a missing variable', async (t) => {
  const survey: CovariateSurvey = {
    freq: 'D',
    season: 7,
    axes: [Array.from({ length: 12 }, (_, day) => day * dayMs)],
    grids: [1, 60].map((latitude) => ({ place: { latitude, longitude: 2 }, axis: 0, first: 0, history: 10, ahead: 2 }))
  }
  const rows = Array.from({ length: 14 }, (_, day) => ({ validMs: (day - 1) * dayMs, value: day, publishedMs: -1 }))
  const near: Provider = {
    ...providerOf('weather', 'P1D', rows),
    covers: (key) => (key as { latitude: number }).latitude === 1,
    nearest: async () => 'its nearest place is far'
  }
  const far = await gathered(t, [specOf('weather', { where: { type: 'columns', latitude: 'a', longitude: 'b' } })],
    survey, [near])
  t.equal(far.document.report.sources[0]?.reason,
    'for the series at 60,2: no source of weather covers what was asked for: one (its nearest place is far); the ' +
      'kind is used where every place has it')
  const short: Provider = {
    ...near,
    covers: () => true,
    fetch: async ({ variables }) => ({
      observations: [],
      missing: variables.map((variable) => ({ variable, reason: 'one has nothing for it in this range' }))
    })
  }
  const { document } = await gathered(t, [specOf('weather', { variables: ['precipitation'] })], {
    ...survey,
    grids: [{ ...survey.grids[0]!, place: null }]
  }, [short, { ...near, id: 'station', covers: () => true }])
  t.match(document.report.sources[0]?.reason,
    /^precipitation: one has nothing for it in this range; one source answers for all variables of a kind, and station can be asked instead: "source": "station"$/)
})

t.test('a strategy of error, and required coverage, end the job with what is missing', async (t) => {
  const survey: CovariateSurvey = {
    freq: 'D',
    season: 7,
    axes: [Array.from({ length: 12 }, (_, day) => day * dayMs)],
    grids: [{ place: null, axis: 0, first: 0, history: 10, ahead: 2 }]
  }
  const rows = Array.from({ length: 10 }, (_, day) => ({ validMs: day * dayMs, value: day, publishedMs: -1 }))
  const refused = async (spec: ExternalCovariatesSpec, kind: Kind) =>
    await t.rejects(gathered(t, [spec], survey, [providerOf(kind, 'P1D', rows)]), { name: CovariateInputError.name })
  await refused(specOf('macro', { variables: ['cpi'], futureStrategy: 'error' }), 'macro')
  await refused(specOf('weather', { variables: ['temperature_2m'], requireCoverage: true }), 'weather')
  t.equal(aggregateOf('macro', 'cpi'), 'mean')
})

t.test('days are those of the place', async (t) => {
  const asked: CovariateRequest[] = []
  const survey: CovariateSurvey = {
    freq: 'D',
    season: 7,
    axes: [[0, 1, 2, 3, 4].map((day) => day * dayMs)],
    grids: [{ place: null, axis: 0, first: 0, history: 4, ahead: 1 }]
  }
  const provider = providerOf('weather', 'PT1H',
    Array.from({ length: 5 * 24 }, (_, hour) => ({ validMs: hour * hourMs, value: 1, publishedMs: -1 })))
  const noting: Provider = {
    ...provider,
    fetch: async (request) => {
      asked.push(request)
      return await provider.fetch(request)
    }
  }
  await gathered(t, [
    specOf('weather', { where: { type: 'place', latitude: -36.85, longitude: 174.76, location: null, note: null } })
  ], survey, [noting])
  t.match(asked, [{ startMs: -12 * hourMs, endMs: 5 * dayMs - 12 * hourMs, cutoffMs: 3 * dayMs, mode: 'as_of' }],
    'Auckland is twelve hours ahead')
})

t.test('a provider that hangs costs its kind', async (t) => {
  const survey: CovariateSurvey = {
    freq: 'D',
    season: 7,
    axes: [Array.from({ length: 12 }, (_, day) => day * dayMs)],
    grids: [{ place: null, axis: 0, first: 0, history: 10, ahead: 2 }]
  }
  const rows = Array.from({ length: 12 }, (_, day) => ({ validMs: day * dayMs, value: day, publishedMs: -1 }))
  // Times out by a timer that keeps no process alive.
  const awake = setInterval(() => undefined, 10)
  t.teardown(() => {
    clearInterval(awake)
  })
  const hanging: Provider = {
    ...providerOf('rates', 'P1D', rows),
    id: 'slow',
    async fetch ({ signal }) {
      await once(signal, 'abort')
      signal.throwIfAborted()
      throw new Error('not aborted')
    }
  }
  const specs = [specOf('weather', { variables: ['temperature_2m'] }), specOf('rates', { variables: ['policy_rate'] })]
  const { document } = await gathered(t, specs, survey, [providerOf('weather', 'P1D', rows), hanging], 50)
  t.match(document.report.sources, [{ kind: 'weather', status: 'used' }, {
    kind: 'rates',
    status: 'failed',
    reason: 'slow did not answer in time.',
    historyCoverage: null
  }])
})

t.test('more values than one job may have', async (t) => {
  const survey: CovariateSurvey = {
    freq: 'h',
    season: 24,
    axes: [[0, hourMs]],
    grids: [{ place: null, axis: 0, first: 0, history: 60_000_000, ahead: 1 }]
  }
  await t.rejects(gathered(t, [specOf('weather')], survey, []), {
    name: CovariateInputError.name,
    message: /at most 100000000/
  })
})

t.test('what the labels of days stand for', async (t) => {
  const hours = Array.from({ length: 24 * 20 }, (_, hour) => ({ validMs: hour * hourMs, value: hour, publishedMs: -1 }))
  const days = async (freq: string, labels: number[], longitude: number) => {
    const survey: CovariateSurvey = {
      freq,
      season: 5,
      axes: [labels],
      grids: [{ place: null, axis: 0, first: 0, history: labels.length - 1, ahead: 1 }]
    }
    const where = { type: 'place' as const, latitude: 50, longitude, location: null, note: null }
    const { values } = await gathered(t, [specOf('weather', { variables: ['temperature_2m'], where })], survey, [
      providerOf('weather', 'PT1H', hours)
    ])
    return [...new Float64Array(values.buffer.slice(values.byteOffset, values.byteOffset + values.byteLength))].map((
      value
    ) => Math.round(value * 10) / 10)
  }
  // 2 January 1970 was a Friday.
  t.strictSame(await days('B', [1, 4, 5, 6].map((day) => day * dayMs), 14.4), [34.5, 106.5, 130.5, 154.5],
    'a Friday is no weekend')
  t.strictSame(await days('D', [4, 5, 6, 7].map((day) => day * dayMs), 14.4), [106.5, 130.5, 154.5, 178.5],
    'dates in Prague')
  t.strictSame(await days('D', [4, 5, 6, 7].map((day) => day * dayMs - hourMs), 14.4), [106.5, 130.5, 154.5, 178.5],
    'the same as instants')
})

t.test('more series than a call has arguments are gathered for, and their span is measured', async (t) => {
  const many = 150_000
  const axes = Array.from({ length: many }, (_, at) => [at * dayMs / many, dayMs + at * dayMs / many])
  t.doesNotThrow(() => checkSpan({ freq: 'D', axes }, { dailyYears: 200, hourlyYears: 20 }))
  t.throws(
    () => checkSpan({ freq: 'D', axes: [...axes, [0, 400 * 366 * dayMs]] }, { dailyYears: 200, hourlyYears: 20 }),
    { name: 'CovariateInputError' }
  )
  const survey: CovariateSurvey = {
    freq: 'D',
    season: 7,
    axes: [[0, dayMs, 2 * dayMs]],
    grids: Array.from({ length: many }, () => ({ place: null, axis: 0, first: 0, history: 2, ahead: 1 }))
  }
  const asked: Array<[number, number, number]> = []
  const provider: Provider = {
    ...providerOf('rates', 'P1D', []),
    async fetch ({ startMs, endMs, cutoffMs }) {
      asked.push([startMs, endMs, cutoffMs])
      throw new ProviderError('one', 'NOT_FOUND')
    }
  }
  const { document } = await gathered(t, [specOf('rates')], survey, [provider])
  t.strictSame(asked, [[-400 * dayMs, 3 * dayMs, dayMs]], 'all of them together, once')
  t.match(document.report, { cutoff: '1970-01-02T00:00:00Z', sources: [{ status: 'failed' }] })
})
