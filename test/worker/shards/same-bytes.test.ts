import t, { type Test } from 'tap'
import { ulid } from 'ulid'
import { analyses } from '../../../src/domain/explainability-spec.ts'
import type { ExternalCovariatesSpec } from '../../../src/domain/external-covariates-spec.ts'
import type { ForecastSpec } from '../../../src/domain/forecast-spec.ts'
import type { JobMessage } from '../../../src/platform/queue/job-messages.ts'
import { csv, series } from '../../support/csv.ts'
import { testSpec } from '../../support/job-message.ts'
import { go, setup, type TestBench, type TestWorker } from '../../support/worker.ts'
import { leftOf, resultOf, sharded, shardsOf, waves } from '../../support/shards.ts'

const base = { ...testSpec, predictionLength: 14 }
const holidays: ExternalCovariatesSpec = {
  ...{ kind: 'holidays', variables: ['is_holiday'], source: 'auto', futureStrategy: null },
  ...{ pointInTime: false, requireCoverage: false, requirePublished: false },
  where: { type: 'country', country: 'DE', subdivision: null, timeZone: null }
}

/** The same job in one piece and in shards. */
const cases: Record<string, { csv: string, spec: ForecastSpec }> = {
  'a forecast': { csv: waves(40), spec: base },
  'models that learn from all series': { csv: waves(8), spec: { ...base, preset: 'balanced' } },
  'covariates, and every analysis': {
    csv: withCovariate(waves(40)),
    spec: {
      ...base,
      columns: { ...base.columns, covariates: ['price'] },
      explainability: {
        ...{ analyses: [...analyses], trailingHistorySteps: null, maxRows: 500, maxFeatures: 25 },
        ...{ topKFeatures: 15, shapSampleSize: 50 }
      }
    }
  },
  'covariates from outside': { csv: waves(40), spec: { ...base, externalCovariates: [holidays] } },
  'prepared rows': {
    csv: waves(40),
    spec: {
      ...base,
      preparation: { filters: [], step: 'D', aggregate: 'sum', missing: 'interpolate', anomalies: 'clip' }
    }
  },
  'quantiles, and a series that is too short': {
    csv: waves(40) + csv(series({ item: 'z', length: 3 })).split('\n').slice(1).join('\n'),
    spec: { ...base, quantileLevels: [0.05, 0.5, 0.95] }
  }
}

/** With a column whose values for the horizon are unknown. */
function withCovariate (text: string): string {
  return text.split('\n').map((line, row) => line === '' ? line : `${line},${row === 0 ? 'price' : row % 13}`).join(
    '\n'
  )
}

await t.test('one worker, which computes all shards itself', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const workers = [await bench.start(sharded)]
  for (const [name, { csv, spec }] of Object.entries(cases)) {
    await t.test(name, async (t) => await same(t, bench, workers, csv, spec))
  }
  await t.test('a fine-tuned model', async (t) => {
    const jobId = `job_${ulid()}`
    const training = { loss: 'mae', validationWindows: 1, maxRuntimeSeconds: null } as const
    await bench.submit(waves(40), { jobId, jobType: 'fine_tune', spec: { ...base, training } }, 'large')
    const { run } = await bench.event(jobId)
    const { files: [file] } = (await resultOf(bench, jobId, run)).whole
    const model = { ...file!, modelId: 'ft_1', key: `acme/${jobId}/${run}/model.bin` }
    await same(t, bench, workers, waves(40), { ...base, modelId: 'ft_1' }, { model })
  })
})

await t.test('two workers', async (t) => {
  const bench = await setup()
  t.teardown(bench.cleanup)
  const workers = [await bench.start(sharded), await bench.start(sharded)]
  for (const [name, { csv, spec }] of Object.entries(cases)) {
    await t.test(name, async (t) => await same(t, bench, workers, csv, spec))
  }
  t.ok(workers.some((worker) => worker.log().includes('"part of a shard stored"')), 'one has helped the other')
})

async function same (t: Test, bench: TestBench, workers: TestWorker[], csv: string, spec: ForecastSpec,
  changes: Partial<JobMessage> = {}): Promise<void> {
  bench.answer = () => go
  const whole = await run(bench, csv, spec, changes)
  bench.answer = () => ({ ...go, shardSlots: 2 })
  const inShards = await run(bench, csv, spec, changes)
  t.equal(shardsOf(workers, whole.jobId), undefined)
  t.ok((shardsOf(workers, inShards.jobId) ?? 0) > 3, 'it was computed in shards')
  t.strictSame(inShards.files, whole.files)
  t.strictSame(inShards.result, whole.result)
}

async function run (bench: TestBench, csv: string, spec: ForecastSpec, changes: Partial<JobMessage>) {
  const jobId = `job_${ulid()}`
  const seq = await bench.submit(csv, { jobId, spec, ...changes }, 'large')
  const event = await bench.event(jobId)
  await bench.forgotten(seq)
  await leftOf(bench, jobId)
  return { ...await resultOf(bench, jobId, event.run), jobId }
}
