import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { loadConfig } from '../../src/config.ts'
import { ProviderError } from '../../src/covariates/provider-error.ts'
import { ProviderRegistry } from '../../src/covariates/provider-registry.ts'
import type { CovariateRequest, Provider } from '../../src/covariates/provider.ts'
import { observationsOf } from '../../src/covariates/observations.ts'
import type { CovariateSurvey, ExternalCovariatesSpec } from '../../src/queue/messages.ts'
import { openStore } from '../../src/store/open-store.ts'
import { storeConfig } from '../../src/store/store-config.ts'
import { fetchExternalValues, type ExternalValuesOptions } from '../../src/worker/external-values.ts'
import type { RunContext } from '../../src/worker/run-context.ts'

const dayMs = 86_400_000
const survey: CovariateSurvey = { freq: 'D', season: 7, axes: [[0, 1, 2, 3, 4].map((day) => day * dayMs)], grids: [{ place: null, axis: 0, first: 0, history: 4, ahead: 1 }] }
const spec: ExternalCovariatesSpec = {
  kind: 'weather',
  variables: ['temperature_2m'],
  source: 'auto',
  pointInTime: true,
  requireCoverage: false,
  requirePublished: false,
  futureStrategy: null,
  where: { type: 'place', latitude: 48, longitude: 16, location: null, note: null }
}

/** A provider whose values are others at each fetch. */
function changing (asked: CovariateRequest[]): Provider {
  return {
    id: 'changing',
    kind: 'weather',
    transport: 'catalog',
    attribution: 'nobody',
    covers: () => true,
    lagOf: () => ({ always: true }),
    async fetch (request) {
      asked.push(request)
      const validTimeMs = Array.from({ length: 5 * 24 }, (_, hour) => hour * 3_600_000)
      return { observations: [observationsOf('temperature_2m', 'PT1H', { validTimeMs, values: validTimeMs.map(() => asked.length) }, request)], missing: [] }
    }
  }
}

async function stage (t: Test, provider: Provider) {
  const folder = t.testdir({})
  const config = loadConfig({ TABCAST_DATA_DIR: folder })
  const store = await openStore(storeConfig(config, Buffer.alloc(32)))
  const context = { config, store, covariates: new ProviderRegistry([provider], async () => [], 'none', null), log: pino({ level: 'silent' }) } as unknown as RunContext
  let runs = 0
  const run = async (change: Partial<ExternalValuesOptions> = {}) => {
    const scratch = join(folder, `run-${++runs}`)
    await mkdir(scratch)
    return await fetchExternalValues(context, {
      prefix: 'acme/j/', folder: scratch, specs: [spec], survey: async () => survey, signal: new AbortController().signal, deadlineMs: performance.now() + 10_000, ...change
    })
  }
  return { run, store }
}

t.test('every run of a job has the values that its first run found', async (t) => {
  const asked: CovariateRequest[] = []
  const { run } = await stage(t, changing(asked))
  const [first, second] = [await run(), await run({ survey: async () => { throw new Error('the dataset is not read again') } })]
  if ('code' in first || 'code' in second) throw new Error('no values')
  t.ok((await readFile(first.path)).equals(await readFile(second.path)))
  t.strictSame(second.report, first.report)
  t.match(first.report, { cutoff: '1970-01-04T00:00:00Z', columnsAdded: ['weather_temperature_2m'], sources: [{ kind: 'weather', status: 'used', provider: 'changing', places: 1 }] })
  t.equal(asked.length, 1)
})

t.test('of two runs at a time one is first, and both compute from its values', async (t) => {
  const asked: CovariateRequest[] = []
  const { run } = await stage(t, changing(asked))
  const [one, other] = await Promise.all([run(), run()])
  if ('code' in one || 'code' in other) throw new Error('no values')
  t.equal(asked.length, 2)
  t.ok((await readFile(one.path)).equals(await readFile(other.path)))
})

t.test('days are those of the place', async (t) => {
  const asked: CovariateRequest[] = []
  const { run } = await stage(t, changing(asked))
  await run({ specs: [{ ...spec, where: { type: 'place', latitude: -36.85, longitude: 174.76, location: null, note: null } }] })
  t.match(asked, [{ startMs: -12 * 3_600_000, endMs: 5 * dayMs - 12 * 3_600_000, cutoffMs: 3 * dayMs, mode: 'as_of' }], 'Auckland is twelve hours ahead')
})

t.test('a provider that fails, a survey that fails, a store that is gone', async (t) => {
  const failing: Provider = { ...changing([]), fetch: async () => { throw new ProviderError('changing', 'TIMEOUT') } }
  const { run } = await stage(t, failing)
  const outcome = await run()
  t.match(outcome, { report: { sources: [{ status: 'failed', reason: 'changing did not answer in time.' }], columnsAdded: [] }, warnings: [{ code: 'external_covariates_failed' }] })
  t.match(await (await stage(t, failing)).run({ specs: [{ ...spec, requireCoverage: true }] }), { code: 'validation_error', error: /^external_covariates\.weather\.require_coverage: changing did not answer in time\. All of it is required$/ })
  const broken = { code: 'dataset_too_large' as const, error: 'Too large.' }
  t.strictSame(await (await stage(t, failing)).run({ survey: async () => broken }), broken)
  const stopped = new AbortController()
  stopped.abort('cancelled')
  await t.rejects((await stage(t, failing)).run({ signal: stopped.signal }), 'cancelled')
})
