import t from 'tap'
import { compileValidator } from '../../../src/api/validation/compile-validator.ts'
import type { ForecastSpec } from '../../../src/domain/forecast-spec.ts'
import { closedObject } from '../../../src/platform/closed-object.ts'
import { TabcastError } from '../../../src/platform/errors.ts'
import { forecastOptions, type ForecastRequest } from '../../../src/services/forecasts/forecast-request.ts'
import { resolveForecast } from '../../../src/services/forecasts/resolve-forecast.ts'
import { noSources } from '../../../src/sources/covariates/resolve-external-covariates.ts'

const validate = compileValidator(closedObject(forecastOptions(1000)), 'body', false)

function resolve (explainability: unknown): ForecastSpec {
  const result = validate({ explainability })
  if ('error' in result) throw result.error
  return resolveForecast(result.value as ForecastRequest, () => undefined, noSources)
}

/** `<field> <type>` of each error. */
function faults (explainability: unknown): string[] {
  try {
    resolve(explainability)
  } catch (error) {
    if (error instanceof TabcastError) {
      return (error.fields ?? []).map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`)
    }
    throw error
  }
  return []
}

const flags = ['feature_importance', 'shap', 'feature_feature_correlations', 'feature_target_correlations',
  'forecast_plot', 'rolling_regression']
const without = (...names: string[]) => Object.fromEntries(names.map((name) => [name, false]))
const counts = { max_rows: 100, max_features: 3, top_k_features: 2, shap_sample_size: 40, trailing_history_steps: 9 }

const defaults = {
  analyses: ['forecast_plot', 'feature_importance', 'shap', 'feature_target_correlations',
    'feature_feature_correlations', 'rolling_regression'],
  trailingHistorySteps: null,
  maxRows: 5000,
  maxFeatures: 25,
  topKFeatures: 15,
  shapSampleSize: 512
}

t.test('a block that is not enabled is not there, so that other jobs keep their hashes', async (t) => {
  for (const block of [null, undefined, {}, { shap: true }, { enabled: false }, { enabled: false, ...counts }]) {
    t.notOk('explainability' in resolve(block), JSON.stringify(block))
  }
})

t.test('every default is resolved, and analyses are in the order in which they are shown', async (t) => {
  t.strictSame(resolve({ enabled: true }).explainability, defaults)
  t.strictSame(resolve({ enabled: true, trailing_history_steps: null }).explainability, defaults, 'null is auto')
  t.strictSame(resolve({ enabled: true, ...counts }).explainability, {
    ...defaults,
    trailingHistorySteps: 9,
    maxRows: 100,
    maxFeatures: 3,
    topKFeatures: 2,
    shapSampleSize: 40
  })
  for (const [flag, name] of flags.map((flag) => [flag, flag] as const)) {
    t.strictSame(resolve({ enabled: true, [flag]: false }).explainability?.analyses, defaults.analyses.filter((one) =>
      one !== name
    ))
    t.strictSame(
      resolve({ enabled: true, ...without(...flags.filter((one) => one !== flag)) }).explainability?.analyses,
      [name]
    )
  }
  t.strictSame(resolve({ enabled: true, ...without(...flags) }).explainability, { ...defaults, analyses: [] },
    'nothing is asked for, which the job says')
})

t.test('what no analysis looks at is resolved to its default, so that equal jobs have equal hashes', async (t) => {
  const plot = { enabled: true, ...without(...flags.filter((flag) => flag !== 'forecast_plot')) }
  t.strictSame(resolve({ ...plot, ...counts }).explainability, {
    ...defaults,
    analyses: ['forecast_plot'],
    trailingHistorySteps: 9
  })
  t.match(resolve({ enabled: true, ...counts, forecast_plot: false }).explainability, {
    trailingHistorySteps: null,
    maxRows: 100,
    shapSampleSize: 40
  })
  t.match(resolve({ enabled: true, ...counts, feature_importance: false, shap: false }).explainability, {
    maxRows: 100,
    maxFeatures: 3,
    topKFeatures: 2,
    shapSampleSize: 512
  })
  t.match(resolve({ enabled: true, ...counts, shap: false }).explainability, { shapSampleSize: 40 },
    'the importance is of these rows too')
})

t.test('bounds are those of the interface, and counts that the engine cannot hold are refused', async (t) => {
  const least = { max_rows: 50, max_features: 1, top_k_features: 1, shap_sample_size: 25, trailing_history_steps: 1 }
  t.strictSame(faults({ enabled: true, ...least }), [])
  for (const [field, bound] of Object.entries(least)) {
    for (const enabled of [true, false]) {
      t.strictSame(faults({ enabled, [field]: bound - 1 }), [`explainability.${field} greater_than_equal`])
    }
    t.strictSame(faults({ [field]: bound + 0.5 }), [`explainability.${field} int_from_float`])
    t.strictSame(faults({ [field]: String(bound) }), [`explainability.${field} int_parsing`])
  }
  for (const field of ['max_rows', 'max_features', 'top_k_features', 'shap_sample_size']) {
    t.equal(faults({ [field]: null }).length, 1, `${field} is no null`)
  }
  for (const flag of ['enabled', ...flags]) {
    t.strictSame(faults({ [flag]: 'yes' }), [`explainability.${flag} bool_parsing`])
  }
  t.strictSame(faults({ enabled: true, lime: true }), ['explainability.lime extra_forbidden'])
  t.strictSame(faults([]), ['explainability dict_type'])
  const most = 2 ** 31 - 1
  const huge = Object.fromEntries(Object.keys(least).map((field) => [field, most]))
  t.strictSame(resolve({ enabled: true, ...huge }).explainability, {
    ...defaults,
    trailingHistorySteps: most,
    maxRows: most,
    maxFeatures: most,
    topKFeatures: most,
    shapSampleSize: most
  })
  for (const field of Object.keys(least)) {
    t.strictSame(faults({ [field]: most + 1 }), [`explainability.${field} less_than_equal`])
  }
})
