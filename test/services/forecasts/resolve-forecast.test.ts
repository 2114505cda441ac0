import t, { type Test } from 'tap'
import { compileValidator } from '../../../src/api/validation/compile-validator.ts'
import type { FieldError } from '../../../src/domain/error-codes.ts'
import { locationColumns } from '../../../src/domain/external-covariates-spec.ts'
import { closedObject } from '../../../src/platform/closed-object.ts'
import { TabcastError } from '../../../src/platform/errors.ts'
import { forecastOptions, type ForecastRequest } from '../../../src/services/forecasts/forecast-request.ts'
import { canonicalFrequency } from '../../../src/services/forecasts/frequency-alias.ts'
import { checkMagicBytes, checkSheetName, formatOfFilename } from '../../../src/services/forecasts/input-format.ts'
import { parseQuantileLevels, QuantileLevelsError } from '../../../src/services/forecasts/quantile-levels.ts'
import { resolveForecast } from '../../../src/services/forecasts/resolve-forecast.ts'
import type { UsableModel } from '../../../src/services/forecasts/use-model.ts'
import type { KnownSources } from '../../../src/sources/covariates/resolve-external-covariates.ts'

const validate = compileValidator(closedObject(forecastOptions(1000)), 'body', false)

function request (body: object): ForecastRequest {
  const result = validate(body)
  if ('error' in result) throw result.error
  return result.value as ForecastRequest
}

function refusal (t: Test, work: () => unknown): TabcastError {
  try {
    work()
  } catch (error) {
    if (error instanceof TabcastError) return error
    throw error
  }
  t.fail('has to be refused')
  throw new Error('not refused')
}

const sources: KnownSources = { ids: () => ['auto', 'mounted'], aliases: (kind) => kind === 'rates' ? ['own'] : [] }
const resolved = (body: object, models: UsableModel[] = []) =>
  resolveForecast(request(body), (id) => models.find(({ modelId }) => modelId === id), sources)
const fieldsOf = (t: Test, body: object): FieldError[] => refusal(t, () => resolved(body)).fields ?? []
/** `<field> <type>` of each error. */
const faults = (t: Test, body: object): string[] =>
  fieldsOf(t, body).map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`)

t.test('covariates are a comma list or a JSON array, and each column has one role', async (t) => {
  t.strictSame(resolved({ covariates: 'price, campaign ' }).columns, {
    itemId: 'item_id',
    timestamp: 'timestamp',
    target: 'target',
    covariates: ['price', 'campaign']
  })
  t.strictSame(resolved({ covariates: '["a, b", "c"]' }).columns.covariates, ['a, b', 'c'])
  t.notOk('covariates' in resolved({ covariates: ' ' }).columns, 'blank text names none')
  for (const covariates of ['a,,b', '["a", 1]', '["a"', 'a,a', 'target',
    Array.from({ length: 51 }, (_, index) => `c${index}`).join(',')]) {
    t.strictSame(faults(t, { covariates }), ['covariates value_error'], covariates)
  }
})

t.test('a coordinate is a number, and no truth value', async (t) => {
  t.strictSame(faults(t, { latitude: true, longitude: false }), ['latitude float_type', 'longitude float_type'])
  for (const place of [{ latitude: true, longitude: true }, { resolved_location: { latitude: true, longitude: 1 } }]) {
    t.match(faults(t, { external_covariates: { weather: { enabled: true, ...place } } })[0], /latitude float_type$/)
  }
})

t.test('every default is resolved', async (t) => {
  t.strictSame(resolved({}), {
    predictionLength: 24,
    preset: 'balanced',
    columns: { itemId: 'item_id', timestamp: 'timestamp', target: 'target' },
    freq: null,
    quantileLevels: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
    timestampFormat: 'pandas',
    quantileColumnStyle: 'raw'
  })
  const nothing = {
    freq: null,
    quantile_levels: null,
    timestamp_format: null,
    quantile_column_style: null,
    covariates: null,
    callback_url: null,
    latitude: null,
    metadata: null,
    name: null
  }
  t.strictSame(resolved(nothing), resolved({}), 'null is as good as absent')
})

t.test('presets by name and alias', async (t) => {
  const aliases = {
    fast: 'fast',
    fast_training: 'fast',
    balanced: 'balanced',
    medium_quality: 'balanced',
    best: 'best',
    high_quality: 'best',
    best_quality: 'best'
  }
  for (const [name, preset] of Object.entries(aliases)) t.equal(resolved({ presets: name }).preset, preset)
  for (const presets of ['ft:ft_01', 'chronos', 'Fast', '__proto__']) {
    const error = refusal(t, () => resolved({ presets }))
    t.match(error, { code: 'invalid_preset', status: 400, suggestion: /one of fast, balanced, best/ })
  }
})

t.test('a fine-tuned model in the place of a preset', async (t) => {
  const columns = { itemId: 'item_id', timestamp: 'timestamp', target: 'target', covariates: ['price', 'promo'] }
  const plain: UsableModel = {
    modelId: 'ft_1',
    basePreset: 'best',
    predictionLength: 12,
    freq: 'MS',
    columns: { ...columns, covariates: [] },
    covariates: []
  }
  const featureEngineering = resolved({ feature_engineering: { lag_periods: [3] } }).featureEngineering
  const rich: UsableModel = {
    ...plain,
    modelId: 'ft_2',
    columns,
    covariates: ['price'],
    ...(featureEngineering === undefined ? {} : { featureEngineering })
  }
  const use = (body: object) => resolved({ prediction_length: 12, presets: 'ft:ft_1', ...body }, [plain, rich])
  const misfits = (body: object) =>
    (refusal(t, () => use(body)).fields ?? []).map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`)

  const spec = use({})
  t.match(spec, { preset: 'best', modelId: 'ft_1', predictionLength: 12, freq: null })
  t.strictSame(use({ freq: 'MS', covariates: '', feature_engineering: { enabled: false } }), { ...spec, freq: 'MS' })
  t.strictSame(misfits({ prediction_length: 13 }), ['prediction_length model_horizon_exceeded'])
  t.strictSame(misfits({ freq: 'D' }), ['freq model_frequency_mismatch'])
  t.strictSame(misfits({ covariates: 'price' }), ['covariates model_columns_mismatch'])
  t.strictSame(misfits({ feature_engineering: {} }), ['feature_engineering model_features_mismatch'])
  t.strictSame(misfits({ item_id_column: 'a', timestamp_column: 'b', target_column: 'c', prediction_length: 99 }), [
    'prediction_length model_horizon_exceeded',
    'item_id_column model_columns_mismatch',
    'timestamp_column model_columns_mismatch',
    'target_column model_columns_mismatch'
  ], 'all at once')
  t.match(refusal(t, () => use({ prediction_length: 13 })).fields, [{
    msg: /at most 12 steps\. Ask for fewer/,
    input: 13
  }])

  const tuned = use({ presets: 'ft:ft_2' })
  t.strictSame(tuned.columns.covariates, ['price'], 'the covariates that it uses')
  t.notOk('featureEngineering' in tuned, 'its features are its own')
  for (const same of [{ covariates: 'price' }, { covariates: 'promo,price' }, {
    feature_engineering: { lag_periods: [3, 3] }
  }]) {
    t.strictSame(use({ presets: 'ft:ft_2', ...same }), tuned, JSON.stringify(same))
  }
  t.strictSame(misfits({ presets: 'ft:ft_2', covariates: 'promo' }), ['covariates model_columns_mismatch'])
  for (const presets of ['ft:ft_3', 'ft:', 'ft:ft:ft_1', 'ft_1']) {
    t.match(refusal(t, () => use({ presets })), { code: 'invalid_preset', status: 400 }, presets)
  }
  t.match(refusal(t, () => use({ presets: 'ft:ft_3', freq: 'daily' })), { code: 'validation_error' },
    'wrong fields come first')
})

t.test('quantile levels', async (t) => {
  t.strictSame(parseQuantileLevels('0.9, 0.1,.5'), [0.1, 0.5, 0.9])
  t.strictSame(parseQuantileLevels('[0.9, 0.1, 0.1]'), [0.1, 0.9], 'each once, ascending')
  t.strictSame(parseQuantileLevels('0.1,0.10,1e-1'), [0.1])
  for (const text of ['0', '1', '0.1,1.5', '-0.1', 'NaN', 'Infinity', '0.1,,0.9', 'a', '[0.1', '[]', '[null]',
    '[[0.1]]', '["0.5x"]', ' ']) {
    t.throws(() => parseQuantileLevels(text), QuantileLevelsError, text)
  }
  t.throws(() => parseQuantileLevels(Array.from({ length: 100 }, (_, i) => (i + 1) / 1000).join()), /at most 99/)
  t.strictSame(faults(t, { quantile_levels: '0.1,2' }), ['quantile_levels value_error'])
})

t.test('frequencies become canonical', async (t) => {
  const canonical = [
    'H h',
    'h h',
    'T min',
    'min min',
    '30T 30min',
    '15min 15min',
    'S s',
    's s',
    'D D',
    '1D D',
    'B B',
    'W W-SUN',
    'W-MON W-MON',
    'w-fri W-FRI',
    'M ME',
    'ME ME',
    'MS MS',
    '2MS 2MS',
    'Q QE',
    'QE QE',
    'Q-DEC QE',
    'QE-NOV QE-NOV',
    'QS QS',
    'QS-JAN QS',
    'QS-FEB QS-FEB',
    'A YE',
    'Y YE',
    'A-JUN YE-JUN',
    'AS YS',
    'YS YS',
    'YS-APR YS-APR'
  ]
  for (const pair of canonical) t.equal(`${pair.split(' ')[0]} ${canonicalFrequency(pair.split(' ')[0] ?? '')}`, pair)
  for (const alias of ['', '0D', '-1D', '1.5h', 'ms', 'us', 'ns', 'm', 'X', 'W-XXX', 'D-MON', 'MS-JAN', 'daily', 'D ',
    '2', '__proto__']) {
    t.equal(canonicalFrequency(alias), undefined, alias)
  }
  t.strictSame(faults(t, { freq: 'daily' }), ['freq frequency_alias'])
})

t.test('covariates from outside: null, absent, disabled, unknown field', async (t) => {
  for (const off of [null, undefined, { weather: { city: 'Uppsala' }, macro: null }]) {
    t.strictSame(resolved({ external_covariates: off }), resolved({}),
      'off is left out, so that hashes stay as they were')
  }
  t.strictSame(faults(t, { external_covariates: { bogus: 1 } }), ['external_covariates.bogus extra_forbidden'])
  t.strictSame(faults(t, { external_covariates: 'text' }), ['external_covariates dict_type'])
  t.ok(resolved({ covariates: '', freq: '' }), 'empty text is not given')
})

t.test('covariates from outside: every default', async (t) => {
  const spec = (block: object, rest: object = {}) =>
    resolved({ external_covariates: block, ...rest }).externalCovariates
  const rules = {
    source: 'auto',
    pointInTime: true,
    requireCoverage: false,
    requirePublished: false,
    futureStrategy: null
  }
  t.strictSame(spec({ weather: { enabled: true, city: 'Vienna' } }), [
    {
      kind: 'weather',
      variables: ['temperature_2m', 'precipitation', 'wind_speed_10m'],
      ...rules,
      where: { type: 'city', query: 'Vienna' }
    }
  ])
  t.strictSame(spec({ rates: { enabled: true, variables: ['own'] }, holidays: { enabled: true, country_code: 'DE' } }),
    [
      {
        kind: 'holidays',
        variables: ['is_holiday', 'is_observance', 'is_bridge_day'],
        ...rules,
        where: { type: 'country', country: 'DE', subdivision: null, timeZone: null }
      },
      { kind: 'rates', variables: ['own'], ...rules, futureStrategy: 'forward_fill_latest', where: { type: 'series' } }
    ], 'in the order of the kinds')
  const place = { type: 'place', latitude: 48, longitude: 16, location: null, note: null }
  t.match(spec({ weather: { enabled: true }, air_quality: { enabled: true } }, { latitude: 48, longitude: 16 }), [{
    where: place
  }, { where: place }], 'those of the request')
  t.strictSame(
    locationColumns(
      spec({
        weather: { enabled: false, latitude_column: 'lat', longitude_column: 'lon' },
        air_quality: { enabled: true }
      })
    ),
    ['lat', 'lon'],
    'columns, too'
  )
  t.match(spec({ weather: { enabled: true, latitude: 48, longitude: 16 }, air_quality: { enabled: true } }), [{
    where: place
  }, { where: place }], 'air quality is where the weather is')
})

t.test('covariates from outside: what is wrong is named', async (t) => {
  const wrong = (block: object, rest: object = {}) => faults(t, { external_covariates: block, ...rest })
  const on = { enabled: true }
  t.strictSame(wrong({ weather: on }), ['external_covariates.weather value_error'], 'no place')
  t.strictSame(wrong({ air_quality: on }), ['external_covariates.air_quality value_error'], 'no place')
  t.strictSame(wrong({ weather: { ...on, latitude: 91, longitude: 0 } }), [
    'external_covariates.weather.latitude less_than_equal'
  ])
  t.strictSame(wrong({ weather: { ...on, latitude: 9 } }), ['external_covariates.weather.latitude value_error'])
  t.strictSame(wrong({ weather: on }, { latitude: 9 }), ['latitude value_error'])
  t.strictSame(wrong({ weather: { ...on, city: 'Vienna', variables: ['temprature_2m'] } }), [
    'external_covariates.weather.variables value_error'
  ])
  t.strictSame(wrong({ weather: { ...on, city: 'Vienna', source: 'elsewhere' } }), [
    'external_covariates.weather.source value_error'
  ])
  t.strictSame(wrong({ weather: { ...on, latitude_column: 'target', longitude_column: 'lon' } }), [
    'external_covariates.weather.latitude_column value_error'
  ])
  t.strictSame(wrong({ holidays: on, electricity: on, transport: on }), [
    'external_covariates.holidays.country_code value_error',
    'external_covariates.electricity.bidding_zone value_error',
    'external_covariates.transport.train_line value_error'
  ])
  t.strictSame(
    wrong({ weather: { ...on, resolved_location: { latitude: 48, longitude: 16, timezone: 'Mars/Phobos' } } }),
    ['external_covariates.weather.resolved_location.timezone value_error']
  )
  t.strictSame(wrong({ weather: { latitude_column: 'target', longitude_column: 'lon' }, air_quality: on }), [
    'external_covariates.weather.latitude_column value_error'
  ], 'columns that air quality inherits')
  t.strictSame(wrong({ holidays: { ...on, country_code: 'DE', timezone: 'Mars' } }), [
    'external_covariates.holidays.timezone value_error'
  ])
  t.strictSame(wrong({ holidays: { ...on, country_code: 'DE' } }, { covariates: 'holidays_is_holiday' }), [
    'external_covariates value_error'
  ], 'a column of that name')
  t.strictSame(wrong({ macro: { ...on, variables: Array.from({ length: 51 }, (_, index) => `S${index}`) } }), [
    'external_covariates value_error'
  ], 'too many')
  const [field] = fieldsOf(t, { external_covariates: { weather: { ...on, city: 'Vienna', source: 'elsewhere' } } })
  t.match(field?.msg, /one of auto, mounted/)
})

t.test('feature engineering: off unless it is there and enabled, and lists in order', async (t) => {
  const features = (block: unknown) => resolved({ feature_engineering: block }).featureEngineering
  for (const off of [null, undefined, { enabled: false }, { enabled: false, lag_periods: [3] }]) {
    t.strictSame(resolved({ feature_engineering: off }), resolved({}),
      'off is left out, so that hashes stay as they were')
  }
  const defaults = {
    timeFeatures: true,
    cyclicalEncoding: true,
    lagFeatures: true,
    lagPeriods: [1, 7, 14, 30],
    rollingFeatures: true,
    rollingWindows: [3, 7, 14, 30],
    rollingStats: ['mean', 'std', 'min', 'max'],
    growthFeatures: true,
    growthPeriods: [1, 7],
    eventFlags: true
  }
  t.strictSame(features({}), defaults, '{} is on with defaults')
  t.strictSame(features({ enabled: true }), defaults)
  t.match(features({ lag_periods: [7, 1, 7], rolling_stats: ['max', 'mean', 'max'], event_flags: false }), {
    lagPeriods: [1, 7],
    rollingStats: ['mean', 'max'],
    eventFlags: false
  })
  t.strictSame(features({ lag_periods: [], rolling_stats: [], growth_periods: [] }), {
    ...defaults,
    lagFeatures: false,
    rollingFeatures: false,
    growthFeatures: false
  }, 'an empty list is off')
  const nothing = {
    time_features: false,
    cyclical_encoding: false,
    lag_features: false,
    rolling_windows: [],
    growth_periods: [],
    event_flags: false
  }
  t.strictSame(resolved({ feature_engineering: nothing }), resolved({}), 'a block without any feature is off')
  t.strictSame(
    features({
      lag_features: false,
      lag_periods: [5],
      rolling_features: false,
      rolling_stats: [],
      growth_features: false,
      growth_periods: [9]
    }),
    {
      ...defaults,
      lagFeatures: false,
      rollingFeatures: false,
      growthFeatures: false
    },
    'what is switched off is hashed with its defaults'
  )
})

t.test('the defaults of a block are filled in where it is given', async (t) => {
  const filled = request({
    feature_engineering: { enabled: false },
    explainability: {},
    external_covariates: { weather: {} }
  })
  t.strictSame(filled.feature_engineering, {
    enabled: false,
    time_features: true,
    cyclical_encoding: true,
    lag_features: true,
    lag_periods: [1, 7, 14, 30],
    rolling_features: true,
    rolling_windows: [3, 7, 14, 30],
    rolling_stats: ['mean', 'std', 'min', 'max'],
    growth_features: true,
    growth_periods: [1, 7],
    event_flags: true
  })
  t.match(filled.explainability, {
    enabled: false,
    shap: true,
    max_rows: 5000,
    max_features: 25,
    top_k_features: 15,
    shap_sample_size: 512
  })
  t.match(filled.external_covariates, {
    weather: { enabled: false, point_in_time: true, require_coverage: false, require_published: false }
  })
})

t.test('bounds are named in the FastAPI form', async (t) => {
  const cases: Array<[object, string]> = [
    [{ prediction_length: 0 }, 'prediction_length greater_than_equal'],
    [{ prediction_length: -1 }, 'prediction_length greater_than_equal'],
    [{ prediction_length: 1.5 }, 'prediction_length int_from_float'],
    [{ prediction_length: '24' }, 'prediction_length int_parsing'],
    [{ prediction_length: 1e9 }, 'prediction_length less_than_equal'],
    [{ prediction_length: true }, 'prediction_length int_type'],
    [{ presets: '' }, 'presets string_too_short'],
    [{ presets: 'x'.repeat(129) }, 'presets string_too_long'],
    [{ item_id_column: 'x'.repeat(201) }, 'item_id_column string_too_long'],
    [{ freq: 'x'.repeat(21) }, 'freq string_too_long'],
    [{ timestamp_format: 'unix' }, 'timestamp_format literal_error'],
    [{ quantile_column_style: 'upper' }, 'quantile_column_style literal_error'],
    [{ latitude: 91 }, 'latitude less_than_equal'],
    [{ longitude: -181 }, 'longitude greater_than_equal'],
    [{ latitude: 'north' }, 'latitude float_parsing'],
    [{ callback_url: 'x'.repeat(2049) }, 'callback_url string_too_long'],
    [{ object_id: 'obj' }, 'object_id extra_forbidden'],
    [{ metadata: [] }, 'metadata dict_type'],
    [{ metadata: { text: 'x'.repeat(2048) } }, 'metadata too_long'],
    [{ target_column: 'timestamp' }, 'target_column value_error'],
    [{ feature_engineering: { lag_periods: [0] } }, 'feature_engineering.lag_periods.0 greater_than_equal'],
    [{ feature_engineering: { lag_periods: [10_001] } }, 'feature_engineering.lag_periods.0 less_than_equal'],
    [{ feature_engineering: { lag_periods: Array(65).fill(1) } }, 'feature_engineering.lag_periods too_long'],
    [{ feature_engineering: { rolling_stats: ['mode'] } }, 'feature_engineering.rolling_stats.0 literal_error'],
    [{ feature_engineering: { lag_periods: [-7] } }, 'feature_engineering.lag_periods.0 greater_than_equal'],
    [{ feature_engineering: { lag_periods: [7, 1.5] } }, 'feature_engineering.lag_periods.1 int_from_float'],
    [{ feature_engineering: { lag_periods: ['7'] } }, 'feature_engineering.lag_periods.0 int_parsing'],
    [{ feature_engineering: { lag_periods: 7 } }, 'feature_engineering.lag_periods list_type'],
    [{ feature_engineering: { rolling_windows: [0] } }, 'feature_engineering.rolling_windows.0 greater_than_equal'],
    [{ feature_engineering: { rolling_windows: [1e9] } }, 'feature_engineering.rolling_windows.0 less_than_equal'],
    [{ feature_engineering: { growth_periods: [0] } }, 'feature_engineering.growth_periods.0 greater_than_equal'],
    [{ feature_engineering: { growth_periods: Array(65).fill(1) } }, 'feature_engineering.growth_periods too_long'],
    [{ feature_engineering: { rolling_stats: Array(65).fill('mean') } }, 'feature_engineering.rolling_stats too_long'],
    [{ feature_engineering: { enabled: 'yes' } }, 'feature_engineering.enabled bool_parsing'],
    [{ feature_engineering: { enabled: false, lag_periods: [0] } },
      'feature_engineering.lag_periods.0 greater_than_equal'],
    [{ feature_engineering: { lags: [1] } }, 'feature_engineering.lags extra_forbidden'],
    [{ explainability: { max_rows: 49 } }, 'explainability.max_rows greater_than_equal'],
    [{ explainability: { shap_sample_size: 24 } }, 'explainability.shap_sample_size greater_than_equal'],
    [{ explainability: { trailing_history_steps: 0 } }, 'explainability.trailing_history_steps greater_than_equal'],
    [{ external_covariates: { weather: { latitude: 91 } } }, 'external_covariates.weather.latitude less_than_equal'],
    [{ external_covariates: { weather: { resolved_location: { planet: 'Mars' } } } },
      'external_covariates.weather.resolved_location.planet extra_forbidden'],
    [{ external_covariates: { tides: {} } }, 'external_covariates.tides extra_forbidden'],
    [{ external_covariates: { macro: { future_strategy: 'guess' } } },
      'external_covariates.macro.future_strategy literal_error']
  ]
  for (const [body, fault] of cases) t.strictSame(faults(t, body), [fault], fault)
  t.match(fieldsOf(t, { timestamp_format: 'unix' }), [{
    loc: ['body', 'timestamp_format'],
    msg: "Input should be 'pandas' or 'iso8601'",
    type: 'literal_error',
    input: 'unix',
    ctx: { expected: "'pandas' or 'iso8601'" }
  }])
  t.match(fieldsOf(t, { prediction_length: 0 }), [{
    msg: 'Input should be greater than or equal to 1',
    input: 0,
    ctx: { ge: 1 }
  }])
  t.equal(fieldsOf(t, { latitude: 91, longitude: 181, freq: 3, bogus: 1 }).length, 4, 'all faults at once')
  t.equal(fieldsOf(t, { freq: 'x'.repeat(5000) })[0]?.input, 'x'.repeat(200) + '...', 'a long input comes back cut')
})

t.test('the kind of a file', async (t) => {
  t.equal(formatOfFilename('Sales.2024.CSV'), 'csv')
  t.equal(formatOfFilename('../../etc/passwd.parquet'), 'parquet')
  t.equal(formatOfFilename('a.XLS'), 'xls')
  t.equal(formatOfFilename('a.csv.xlsx'), 'xlsx')
  for (const name of ['a.json', 'a.jsonl', 'a', '.csv.exe', '']) {
    t.match(refusal(t, () => formatOfFilename(name)), {
      code: 'validation_error',
      status: 415,
      suggestion: /\.csv, \.parquet, \.xls or \.xlsx/
    })
  }
  const file = (text: string | Buffer) => ({
    bytes: text.length,
    head: Buffer.from(text).subarray(0, 8),
    tail: Buffer.from(text).subarray(-8)
  })
  checkMagicBytes('csv', file('item_id,timestamp,target\n'))
  checkMagicBytes('parquet', file('PAR1....PAR1'))
  t.match(refusal(t, () => checkMagicBytes('csv', file(''))), { status: 400, code: 'validation_error' })
  for (const foreign of ['PAR1', 'PK\x03\x04', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0]),
    Buffer.from([0x1f, 0x8b, 8])]) {
    t.match(refusal(t, () => checkMagicBytes('csv', file(foreign))), { status: 415, suggestion: /./ })
  }
  const [zip, compound] = ['PK\x03\x04', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0])] as const
  checkMagicBytes('xlsx', file(zip))
  checkMagicBytes('xlsx', file(compound))
  checkMagicBytes('xls', file(compound))
  for (const [format, foreign] of [['parquet', 'item_id,timestamp'], ['xls', zip], ['xls', 'item_id,'], ['xlsx',
    'item_id,'], ['xlsx', 'PAR1']] as const) {
    t.match(refusal(t, () => checkMagicBytes(format, file(foreign))), { status: 415, suggestion: /./ })
  }
  t.match(refusal(t, () => checkMagicBytes('parquet', file('PAR1 and then cut off'))), {
    status: 415,
    message: /cut off/
  })
})

t.test('a sheet is named for spreadsheets only, and not at all by default', async (t) => {
  const named = resolved({ sheet_name: 'Sales 2024' })
  t.equal(named.sheetName, 'Sales 2024')
  for (const format of ['xls', 'xlsx'] as const) checkSheetName(format, named)
  for (const format of ['csv', 'parquet', 'json', 'jsonl'] as const) {
    t.match(refusal(t, () => checkSheetName(format, named)), {
      status: 422,
      fields: [{ loc: ['body', 'sheet_name'], type: 'value_error', input: 'Sales 2024' }]
    })
    checkSheetName(format, resolved({}))
  }
  for (const blank of ['', null]) {
    t.notOk('sheetName' in resolved({ sheet_name: blank }), 'an older request keeps its hash')
  }
  t.strictSame(faults(t, { sheet_name: 'x'.repeat(256) }), ['sheet_name string_too_long'])
})
