import { execFileSync } from 'node:child_process'
import type { BenchOptions } from '../bench.ts'
import type { Measurement } from '../result.ts'
import { buildExample } from '../rust-example.ts'

/** Whether each rule of the explanation finds what was planted in generated series, and nothing else. */
export function measureRules ({ trial, log }: BenchOptions): Measurement[] {
  const program = buildExample('tabcast-explain', 'findings_planted')
  return [60, 600].slice(0, trial ? 1 : 2).flatMap((count) => {
    const rows = execFileSync(program, [String(count)], { encoding: 'utf8' }).trim().split('\n').slice(1).map(
      (line) => {
        log(line)
        const [rule = '', planted = '', , precision = '', recall = ''] = line.trim().split(/\s+/)
        return { rule, planted: Number(planted), precision: Number(precision), recall: Number(recall) }
      }
    )
    const least = (of: 'precision' | 'recall'): Measurement[] => {
      const worst = rows.filter((row) => Number.isFinite(row[of])).sort((left, right) => left[of] - right[of])[0]
      if (worst === undefined) throw new Error('no rule was scored')
      return [{
        what: `${rows.length} rules on ${count} series with planted facts: least ${of} of a rule (${worst.rule})`,
        figure: worst[of],
        unit: '',
        gate: { atLeast: of === 'precision' ? 0.95 : 0.9 }
      }]
    }
    return [...least('precision'), ...least('recall')]
  })
}
