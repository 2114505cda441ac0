import { Type } from 'typebox'
import { nullable } from './nullable.ts'

const seconds = (description: string) => Type.Number({ minimum: 0, description })

export const runtimeEstimateSchema = Type.Object({
  estimated_seconds: Type.Object({
    p50: seconds('The median: half of the jobs like this one take less.'),
    p90: seconds('Nine of ten jobs like this one take less.')
  }, { description: 'From the start of the job on a worker to its end.' }),
  queue_wait_seconds: seconds('Time until a worker starts the job, given the jobs that wait now.'),
  stages: Type.Object({}, {
    additionalProperties: Type.Number(),
    description: 'Seconds of each stage, with the names of `timings`; empty until such a job has ended here.'
  }),
  basis: Type.Enum(['measured', 'heuristic'], {
    description:
      'measured: from jobs of this kind and about this size that ended here. heuristic: there are too few of them.'
  }),
  samples: Type.Integer({ description: 'Measured jobs of this kind, at most 500.' }),
  within_time_budget: Type.Boolean({
    description: 'Whether nine of ten such jobs end within the time budget of a run.'
  }),
  peak_memory_bytes: Type.Integer({ description: 'Peak memory of the process that computes the job, roughly.' })
})

const units = (description: string) => Type.Number({ minimum: 0, description })

export const costEstimateSchema = Type.Object({
  units: units('Steps of all series times the weight of the preset: fast 1, balanced 7, best 27.'),
  unit: Type.Literal('forecast_point'),
  amount: nullable(Type.Number({ description: 'Estimated core seconds times the price of one.' }),
    'null: this deployment has no prices.'),
  currency: nullable(Type.String(), 'null: this deployment has no prices, or no currency.'),
  rate_card_version: Type.String(),
  breakdown: Type.Object({
    predict: units('Units of the forecast.'),
    residual_windows: units('Units of backtests for the weights of a reconciliation, or for a training.'),
    explainability: units('Units of the analyses.'),
    covariates: units('Units of the covariates: a tenth of the forecast for each.')
  }, { description: 'The parts of `units`.' })
})
