import { Type } from 'typebox'
import { nullable } from './nullable.ts'

const seconds = (description: string) => Type.Number({ minimum: 0, description })

export const runtimeEstimateSchema = Type.Object({
  estimated_seconds: Type.Object({
    p50: seconds('As many jobs like this one take less as take more.'),
    p90: seconds('Nine of ten jobs like this one take less.')
  }, { description: 'From the moment that a worker takes the job to its end.' }),
  queue_wait_seconds: seconds('Until a worker takes it, with the jobs that wait now.'),
  stages: Type.Object({}, {
    additionalProperties: Type.Number(),
    description: 'Seconds by stage, with the names of `timings`; empty as long as no such job has ended here.'
  }),
  basis: Type.Enum(['measured', 'heuristic'], {
    description: 'measured: from jobs of this kind and about this size that ended here. heuristic: hardly any have.'
  }),
  samples: Type.Integer({ description: 'Jobs of this kind that have been timed here, at most 500.' }),
  within_time_budget: Type.Boolean({
    description: 'Whether nine of ten such jobs end within the time that a run of a job may take.'
  }),
  peak_memory_bytes: Type.Integer({ description: 'Of the process that computes it, roughly.' })
})

const units = (description: string) => Type.Number({ minimum: 0, description })

export const costEstimateSchema = Type.Object({
  units: units('Steps of all series, weighted by the preset: fast 1, balanced 7, best 27.'),
  unit: Type.Literal('forecast_point'),
  amount: nullable(Type.Number({ description: 'Estimated seconds of all cores times the price of one.' }),
    'null: this deployment has no prices.'),
  currency: nullable(Type.String(), 'null: this deployment has no prices, or they name none.'),
  rate_card_version: Type.String(),
  breakdown: Type.Object({
    predict: units('The forecast.'),
    residual_windows: units('Backtests that weights of a reconciliation or a training ask for.'),
    explainability: units('Analyses.'),
    covariates: units('A tenth of the forecast for each covariate.')
  }, { description: 'Adds up to `units`.' })
})
