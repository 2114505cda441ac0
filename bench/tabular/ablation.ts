import type { BenchOptions } from '../bench.ts'
import type { Measurement } from '../result.ts'
import { mean, tie } from './compare.ts'
import type { TableScores } from './describe.ts'
import { runOwn, stages, type Stage } from './own.ts'
import { csvOf } from './tables.ts'

const titles: Record<Stage, string> = {
  single: 'one boosted model',
  bagged: 'and one for each fold',
  second_kind: 'and a second kind of trees',
  members: 'and all other members',
  weighted: 'and weights from out-of-fold predictions'
}

/**
 * The loss after each step of building the ensemble, over that of one boosted model, on the first split of every table.
 */
export async function measureAblation (scores: TableScores[], { folder, log }: BenchOptions): Promise<Measurement[]> {
  const losses = new Map<string, number[]>()
  for (const stage of stages) {
    const found: number[] = []
    for (const { table } of scores) {
      found.push((await runOwn(csvOf(table), table, table.splits[0] as string, folder, stage)).loss)
    }
    log(`${stage}: ${JSON.stringify(found)}`)
    losses.set(titles[stage], found)
  }
  losses.set('and calibration, where it helps: the whole', scores.map(({ own }) => own[0]?.loss ?? NaN))
  const baseline = scores.map(({ baseline }) => baseline[0]?.loss ?? NaN)
  const [single = []] = losses.values()
  let before = single
  return [...losses].flatMap(([title, found]) => {
    const gained = found.map((loss, at) => ((before[at] ?? NaN) - loss) / (baseline[at] ?? NaN))
    const what = `steps: ${title}`
    const isFirst = found === single
    before = found
    return [
      {
        what: `${what}: loss over the baseline's, mean of the tables`,
        figure: mean(found.map((loss, at) => loss / (baseline[at] ?? NaN))),
        unit: ''
      },
      ...isFirst
        ? []
        : [
          {
            what: `${what}: loss over that of one boosted model, geometric mean`,
            figure: Math.exp(mean(found.map((loss, at) => Math.log(loss / (single[at] ?? NaN))))),
            unit: ''
          },
          {
            what:
              `${what}: tables better and worse than a step before, by 0.5 % of the baseline's loss: the difference`,
            figure: gained.filter((gain) => gain >= tie).length - gained.filter((gain) => gain <= -tie).length,
            unit: 'tables'
          }
        ]
    ]
  })
}
