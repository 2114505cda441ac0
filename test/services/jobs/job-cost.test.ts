import t from 'tap'
import type { ExternalCovariatesSpec } from '../../../src/domain/external-covariates-spec.ts'
import type { ForecastSpec, Preset, ReconciliationSpec } from '../../../src/domain/forecast-spec.ts'
import { forecastCostMs } from '../../../src/services/jobs/job-cost.ts'
import { jobSize } from '../../../src/services/jobs/job-size.ts'
import { testSpec } from '../../support/job-message.ts'
import { seededRandom } from '../../support/random.ts'

const reconciliation: ReconciliationSpec = {
  hierarchyColumns: [],
  method: 'min_trace',
  weights: 'wls_struct',
  topDownMethod: 'proportions_of_historical_totals',
  separator: '/',
  totalLabel: 'total',
  residualWindows: 1
}
const presets: Preset[] = ['fast', 'balanced', 'best']

t.test('whatever the data and the options, a hierarchy costs more with each node', async (t) => {
  const random = seededRandom(t)
  const upTo = (most: number): number => 1 + Math.floor(random() * most)
  for (let at = 0; at < 500; at++) {
    const series = upTo(1_000)
    const minLength = upTo(500)
    const maxLength = minLength + upTo(500)
    const profile = {
      rows: series * minLength + upTo(series * (maxLength - minLength)),
      series,
      minLength,
      maxLength,
      freq: 'D'
    }
    const flat: ForecastSpec = { ...testSpec, preset: presets[upTo(3) - 1]!, predictionLength: upTo(100) }
    const weights = (['ols', 'wls_struct', 'wls_var', 'shrink'] as const)[upTo(4) - 1]!
    const spec: ForecastSpec = { ...flat, reconciliation: { ...reconciliation, weights, residualWindows: upTo(5) } }
    const nodes = series + upTo(5_000)
    const cost = forecastCostMs({ ...profile, nodes }, spec)
    t.ok(forecastCostMs({ ...profile, nodes: nodes + upTo(1_000) }, spec) > cost)
    t.ok(cost > forecastCostMs(profile, flat), 'and more than its series alone')
    t.ok(cost >= (nodes / series) * forecastCostMs({ rows: series, series }, { ...flat, preset: 'fast' }),
      'each node at least as much as a series of one row')
  }
})

t.test('a chain of one child after the other costs as much as its sums, and makes no small job', async (t) => {
  const chain = { rows: 5_000, series: 1, minLength: 5_000, maxLength: 5_000, freq: 'MS', nodes: 21 }
  const one: ForecastSpec = { ...testSpec, preset: 'balanced', predictionLength: 3 }
  const reconciled = { ...one, reconciliation }
  t.equal(jobSize(chain, one), 'small')
  t.equal(jobSize(chain, reconciled), 'large')
  t.ok(Math.abs(forecastCostMs(chain, reconciled) - 21 * forecastCostMs(chain, one)) < 1e-6)
})

t.test('without a count of nodes, as from a worker of an earlier build, there are as many sums as series', async (t) => {
  const profile = { rows: 6_000, series: 10, minLength: 500, maxLength: 700 }
  const one: ForecastSpec = { ...testSpec, preset: 'fast' }
  t.equal(forecastCostMs(profile, { ...one, reconciliation }), 2 * forecastCostMs(profile, one))
})

t.test('covariates fill gaps, so a sparse file that has some is no small job', async (t) => {
  const sparse = { rows: 3_420, series: 60, minLength: 57, maxLength: 57, steps: 4_400_000, freq: 'D' }
  const one: ForecastSpec = { ...testSpec, preset: 'fast', predictionLength: 1 }
  const holidays: ExternalCovariatesSpec = {
    kind: 'holidays',
    variables: ['is_holiday'],
    source: 'auto',
    pointInTime: false,
    requireCoverage: false,
    requirePublished: false,
    futureStrategy: null,
    where: { type: 'country', country: 'AT', subdivision: null, timeZone: null }
  }
  t.equal(jobSize(sparse, one), 'small', 'gaps alone cost little')
  t.equal(jobSize(sparse, { ...one, externalCovariates: [holidays] }), 'large')
  t.equal(jobSize(sparse, { ...one, columns: { ...one.columns, covariates: ['price'] } }), 'large')
  t.equal(jobSize({ ...sparse, steps: 4_000 }, { ...one, externalCovariates: [holidays] }), 'small')
})

t.test('a forecast by a fine-tuned model costs more, the more features the model makes', async (t) => {
  const profile = { rows: 28_000, series: 400, minLength: 70, maxLength: 70, freq: 'D' }
  const spec: ForecastSpec = { ...testSpec, modelId: 'ft_1', predictionLength: 1_000 }
  t.equal(jobSize(profile, spec, 0, { features: 30 }), 'small')
  t.equal(jobSize(profile, spec), 'small', 'as in records of earlier builds')
  t.equal(jobSize(profile, spec, 0, { features: 212 }), 'large')
})

t.test('few series of steps up to a week learn together too, which costs, and most with short steps', (t) => {
  const few = { rows: 9_000, series: 3 }
  const balanced: ForecastSpec = { ...testSpec, preset: 'balanced' }
  const cost = (freq: string): number => forecastCostMs({ ...few, freq }, balanced)
  for (const freq of ['h', '30min', '10s', '1h']) t.ok(cost(freq) > cost('D') + 200, freq)
  for (const freq of ['2h', '120min', 'B', 'W', 'W-SUN']) t.equal(cost(freq), cost('D'), freq)
  for (const freq of ['MS', '3ME', 'QS-JAN', 'YE']) t.ok(cost(freq) < cost('D') - 200, freq)
  t.end()
})

t.test('ids are written in each row, so long ones cost', (t) => {
  const few = { rows: 180, series: 90, minLength: 2, maxLength: 2, freq: 'D' }
  const far: ForecastSpec = { ...testSpec, preset: 'fast', predictionLength: 1_000, quantileLevels: [0.5] }
  t.equal(jobSize(few, far, 0, undefined, 180 * 40), 'small')
  t.equal(jobSize(few, far, 0, undefined, 180 * 32_000), 'large')
  t.end()
})

t.test('steps of gaps and numbers of the result cost what they take, without covariates too', (t) => {
  const few = { rows: 180, series: 60, minLength: 3, maxLength: 3, freq: 'D' }
  const best: ForecastSpec = { ...testSpec, preset: 'best', predictionLength: 5 }
  t.equal(jobSize({ ...few, steps: 180 }, best), 'small')
  t.equal(jobSize({ ...few, steps: 60 * 50_000 }, best), 'large', 'three rows, centuries apart')
  t.equal(forecastCostMs({ ...few, steps: 1e12 }, best), forecastCostMs({ ...few, steps: 60 * 60_000 }, best),
    'older steps are not used')
  const fast: ForecastSpec = { ...testSpec, preset: 'fast', predictionLength: 1_000 }
  const levels = Array.from({ length: 50 }, (_, at) => (at + 1) / 51)
  const many = { ...few, series: 150, rows: 450 }
  t.equal(jobSize(many, { ...fast, quantileLevels: [0.5] }), 'small')
  t.equal(jobSize(many, { ...fast, quantileLevels: levels }), 'large', '7 million numbers')
  t.end()
})
