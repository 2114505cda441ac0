import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { AnalysesDocument } from '../../src/report/analyses/analyses-document.ts'
import type { BenchOptions } from '../bench.ts'
import type { Measurement } from '../result.ts'
import { runJob } from './job.ts'
import { writePlantedPanel } from './panel.ts'

const horizon = 14

interface Recovered {
  isFirst: boolean
  /** Found over planted, less one. */
  error: number
  dummyShare: number
  r2: number
}

/** How much of a known effect comes back from the whole of a job: models, surrogate, Shapley values. */
export async function measurePlanted ({ trial, folder, log }: BenchOptions): Promise<Measurement[]> {
  const found: Recovered[] = []
  for (let seed = 1; seed <= (trial ? 2 : 20); seed++) {
    const recovered = await recover(join(folder, `planted-${seed}`), seed)
    log(`panel ${seed}: ${JSON.stringify(recovered)}`)
    found.push(recovered)
  }
  const share = (is: (one: Recovered) => boolean) => found.filter(is).length / found.length
  const size = `${found.length} panels of 20 series with a planted promotion`
  return [
    {
      what: `${size}: rank 1 and mean effect within 15 %`,
      figure: share(({ isFirst, error }) => isFirst && Math.abs(error) <= 0.15),
      unit: '',
      gate: { atLeast: 0.9 }
    },
    { what: `${size}: rank 1`, figure: share(({ isFirst }) => isFirst), unit: '' },
    {
      what: `${size}: error of the mean effect, worst`,
      figure: Math.max(...found.map(({ error }) => Math.abs(error))),
      unit: ''
    },
    {
      what: `${size}: importance of a column of noise, largest`,
      figure: Math.max(...found.map(({ dummyShare }) => dummyShare)),
      unit: '',
      gate: { below: 0.02 }
    },
    {
      what: `${size}: variance of the forecast that the surrogate reproduces on held-out origins, least`,
      figure: Math.min(...found.map(({ r2 }) => r2)),
      unit: ''
    }
  ]
}

async function recover (folder: string, seed: number): Promise<Recovered> {
  const { path, effects } = writePlantedPanel({
    path: `${folder}.csv`,
    seed,
    series: 20,
    days: 200,
    horizon,
    isConstant: seed % 2 === 0
  })
  const { explainability } = await runJob({
    inputPath: path,
    outputFolder: folder,
    horizon,
    covariates: ['promo', 'dummy'],
    threads: availableParallelism(),
    isAnalysed: true
  })
  if (!explainability?.completed.includes('shap')) {
    throw new Error(`panel ${seed}: ${JSON.stringify(explainability?.skipped)}`)
  }
  const document = JSON.parse(readFileSync(join(folder, 'explainability', 'analyses.json'), 'utf8')) as AnalysesDocument
  const shareOf = (name: string) => document.importance?.groups.find(({ feature }) => feature === name)?.share ?? 0
  // Means of Shapley values with and without promotion differ by what a promotion adds.
  const sums = new Map<number, { sum: number, planted: number, count: number }>()
  for (const line of readFileSync(join(folder, 'explainability', 'shap_values.csv'), 'utf8').trim().split('\n').slice(
    1
  )) {
    const [, item = '', , , feature, value, shap] = line.split(',')
    if (feature !== 'promo') continue
    const of = sums.get(Number(value)) ?? { sum: 0, planted: 0, count: 0 }
    of.sum += Number(shap)
    of.planted += effects[Number(item.slice('item '.length))] ?? NaN
    of.count++
    sums.set(Number(value), of)
  }
  const [off, on] = [sums.get(0), sums.get(1)]
  if (off === undefined || on === undefined) throw new Error(`panel ${seed} has no row with, or none without promotion`)
  const planted = (off.planted + on.planted) / (off.count + on.count)
  return {
    isFirst: document.importance?.groups[0]?.feature === 'promo',
    error: (on.sum / on.count - off.sum / off.count) / planted - 1,
    dummyShare: shareOf('dummy'),
    r2: document.importance?.fidelity?.r2 ?? NaN
  }
}
