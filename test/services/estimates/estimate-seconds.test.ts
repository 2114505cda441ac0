import t from 'tap'
import { estimateSeconds } from '../../../src/services/estimates/estimate-seconds.ts'
import type { TimingSample } from '../../../src/services/estimates/timing-sample.ts'
import { forecastWorkload, type Workload } from '../../../src/services/estimates/workload.ts'
import { forecastSpec, testSpec } from '../../support/job-message.ts'
import { normal, seededRandom } from '../../support/random.ts'

const spec = forecastSpec(testSpec)
const workload = (series: number, length: number) =>
  forecastWorkload({ series, rows: series * length, covariates: 0 }, spec)
/** A machine on which everything takes this many times what the formula says. */
const timed = (work: Workload, seconds: number): TimingSample => ({
  v: 1,
  ...work,
  seconds,
  timings: { ingest: 0.25 * seconds, fit: 0.75 * seconds }
})
const formula = ({ costMs }: Workload) => 0.05 + costMs / 2000

t.test('before anything was timed the formula speaks, with a wide range', async (t) => {
  const work = workload(1000, 100)
  const { p50, p90, basis, samples, stages } = estimateSeconds(work, [])
  t.ok(Math.abs(p50 / formula(work) - 1) < 1e-9)
  t.ok(p90 > 1.5 * p50)
  t.strictSame({ basis, samples, stages }, { basis: 'heuristic', samples: 0, stages: {} })
})

t.test('jobs that were timed say how fast the machine is, at other sizes too', async (t) => {
  const samples = Array.from({ length: 40 }, (_, at) => workload(100 + 10 * at, 100)).map((work) =>
    timed(work, 6 * formula(work))
  )
  const near = estimateSeconds(workload(200, 100), samples)
  t.ok(Math.abs(near.p50 / (6 * formula(workload(200, 100))) - 1) < 0.05)
  t.equal(near.basis, 'measured')
  t.equal(near.samples, 40)
  t.ok(Math.abs((near.stages['fit'] ?? 0) / near.p50 - 0.75) < 1e-9)
  const far = workload(200_000, 100)
  const guess = estimateSeconds(far, samples)
  t.equal(guess.basis, 'heuristic')
  t.ok(Math.abs(guess.p50 / (6 * formula(far)) - 1) < 0.5, 'much larger ones as well')
})

t.test('nine of ten jobs stay below p90, whatever their size', async (t) => {
  const random = seededRandom(t)
  const noise = normal(random)
  const past: TimingSample[] = []
  let [covered, count] = [0, 0]
  for (let job = 0; job < 1500; job++) {
    const work = workload(Math.ceil(10 ** (4 * random())), Math.ceil(20 * 10 ** random()))
    const seconds = 3 * formula(work) ** 1.1 * Math.exp(0.3 * noise())
    if (job >= 100) {
      count++
      covered += Number(seconds <= estimateSeconds(work, past).p90)
    }
    past.unshift(timed(work, seconds))
    if (past.length > 500) past.pop()
  }
  t.comment(`covered ${covered / count}`)
  t.ok(covered / count >= 0.87 && covered / count <= 0.96, `${covered / count}`)
})

t.test('the newest jobs count most', async (t) => {
  const work = workload(500, 100)
  const old = Array.from({ length: 250 }, () => timed(work, 1))
  const young = Array.from({ length: 250 }, () => timed(work, 4))
  t.equal(Math.round(estimateSeconds(work, [...young, ...old]).p50), 4)
})
