import type { BenchOptions } from '../bench.ts'
import type { Measurement } from '../result.ts'
import { runExample } from './programs.ts'

interface Differences {
  ensembles: number
  /** Shapley values that were compared. */
  compared: number
  value: number
  interaction: number
  additivity: number
}

/** Explanations against the definition, a sum over all subsets of features, on random ensembles. */
export async function measureDefinition ({ trial, log }: BenchOptions): Promise<Measurement> {
  const found = await runExample<Differences>('shapley_by_definition', [String(trial ? 200 : 20_000)])
  log(`definition: ${JSON.stringify(found)}`)
  return {
    what:
      `largest difference from the sum over all subsets, ${
        found.compared.toLocaleString('en')
      } Shapley values and all interactions of ` +
      `${
        found.ensembles.toLocaleString('en')
      } random ensembles of up to 10 features: categories, missing values, repeated features, several outputs, leaves without rows`,
    figure: Math.max(found.value, found.interaction),
    unit: '',
    gate: { atMost: 1e-10 }
  }
}
