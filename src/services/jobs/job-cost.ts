import type { DatasetProfile } from '../../domain/dataset-profile.ts'
import { externalColumnCount } from '../../domain/external-covariates-spec.ts'
import type { FeatureEngineeringSpec, ForecastSpec, Preset } from '../../domain/forecast-spec.ts'
import type { TabularProfile } from '../../domain/tabular-spec.ts'
import { defined } from '../../platform/defined.ts'

/**
 * Rough cost of one series, in milliseconds of one core: a constant, plus a part that grows with its length, its
 * horizon and the covariates. Only the order of magnitude matters: it decides which jobs may not delay others, and
 * estimates for users are corrected by the deployment's own timings. Daily series of 60, 500 and 2,000 values took 8,
 * 46 and 128 ms each with `balanced`, and 52, 395 and 1,359 ms with `best`, including the trees of all series. With
 * `fast`, 300 series of 1,000 values took .5 s, 1,600 of 180 values .5 s and 5,000 of 60 .7 s. A fine-tuned model has
 * nothing to fit: 20,000 series of 28 steps took 2.2 s, and five times the features take five times as long.
 */
const costByMaker: Record<Preset | 'model', { perSeries: number, perStep: number }> = {
  model: { perSeries: 0.1, perStep: 0.002 },
  fast: { perSeries: 0.05, perStep: 0.0018 },
  balanced: { perSeries: 1, perStep: 0.065 },
  best: { perSeries: 5, perStep: 0.35 }
}

/**
 * Milliseconds of a core per step, times the square of the number of regressors, because every model fits them many
 * times.
 */
const costOfRegressors = 0.0005
/**
 * Milliseconds of a core per step for the effect of regressors, which every preset learns and explains, and which looks
 * at no more than so many steps of a series: 380,000 steps with 30 covariates took 9 s on two cores.
 */
const costOfEffect = { perStep: 0.008, perRegressor: 0.0014, mostSteps: 20_000 }
/** A text covariate gives one column per category, up to a dozen; all covariates together give at most this many. */
const mostRegressors = { perCovariate: 12, together: 30 }

/**
 * Trees that learn from all series at once. Each round reads every feature of every row, and tries every border between
 * values of every feature as a split; fewer rows have fewer borders. Rows are limited, features are not: 442 features
 * took 15 s of a core with `balanced`, for 4,800 values. The figures, in milliseconds, cover both trainings, for the
 * backtest and for the forecast. `best` has more rounds and models.
 */
const costOfTrees = { perCell: 0.00055, splitsPerFeature: 12, splittableRows: 5_000 }
const effortOfTrees = {
  balanced: { mostRows: 60_000, times: 1, splits: 1 },
  small: { mostRows: 20_000, times: 1.3, splits: 0.25 },
  best: { mostRows: 250_000, times: 3, splits: 1 }
}
/**
 * `fast` fits a line to the features instead. It uses fewer rows when there are many features, so its cost is limited.
 */
const costOfLine = { mostRows: 100_000, mostProducts: 1e9, perProduct: 4e-7 }
/** Each value is a training row for several steps of the horizon. */
const mostRowsOfValue = 10
/** Number of features: always, of the calendar with a block, and for each column of a covariate. */
const features = { always: 40, calendar: 20, perRegressor: 5 }
/**
 * With fewer series, `balanced` learns from all of them only when there are covariates or a block, or at steps of a
 * week or less. Of days and weeks without them it uses fewer rows then, and needs a year of them.
 */
const dozens = 24

/**
 * Milliseconds for each number that is written, read, packed and drawn: 6.6 million took 3.5 s, without the engine,
 * which handles at most 3 million.
 */
const costOfPlot = { perFigure: 0.001, mostFigures: 3e6 }

/**
 * Milliseconds for each number of the result that is written: 20 million took 2.9 s on two cores. The cost of a step
 * has the usual ones.
 */
const costOfWriting = { perFigure: 0.0003, usualLevels: 9 }

/** The properties of a dataset that its cost depends on. A dataset that was read has `nodes` and `maxLength`. */
export type Counts =
  & Pick<DatasetProfile, 'rows' | 'series'>
  & Partial<Pick<DatasetProfile, 'freq' | 'maxLength' | 'nodes' | 'steps'>>
  & {
    /** Of the fine-tuned model that makes the forecast. */
    features?: number
  }

/** The most steps of a series that are used without covariates. */
const mostSteps: Record<Preset | 'model', number> = { model: 2_500, fast: 2_500, balanced: 60_000, best: 60_000 }

/**
 * Gaps get a value for each step, which models then fit like any other; with covariates, steps however old are
 * explained.
 */
function withGaps (dataset: Counts, covariates: number, maker: Preset | 'model'): Counts {
  const { rows, series, steps = 0 } = dataset
  const filled = covariates === 0 ? Math.min(steps, series * mostSteps[maker]) : steps
  return { ...dataset, rows: Math.max(rows, filled) }
}

/**
 * Adds the sums of a hierarchy, each as long as the longest series. Uncounted sums are taken to be as many as the
 * series; there are fewer, unless parents have only one child.
 */
function withSums ({ freq, rows, series, maxLength, nodes }: Counts, { reconciliation }: ForecastSpec): Counts {
  const kept = defined({ freq })
  if (reconciliation === undefined) return { ...kept, rows, series }
  if (nodes === undefined || maxLength === undefined) return { ...kept, rows: 2 * rows, series: 2 * series }
  return { ...kept, rows: rows + (nodes - series) * maxLength, series: nodes }
}

/** Weights from a backtest cost one more forecast for each window. */
function forecastsPerSeries ({ reconciliation }: ForecastSpec): number {
  if (reconciliation?.weights !== 'wls_var' && reconciliation?.weights !== 'shrink') return 1
  return 1 + reconciliation.residualWindows
}

function featuresOf (
  { lagFeatures, lagPeriods, rollingFeatures, rollingWindows, rollingStats, growthFeatures, growthPeriods }:
    FeatureEngineeringSpec
): number {
  const lags = lagFeatures ? lagPeriods.length : 0
  const rolling = rollingFeatures ? rollingWindows.length * rollingStats.length : 0
  return features.calendar + lags + rolling + (growthFeatures ? growthPeriods.length : 0)
}

/** The columns that models make of this many covariates, at most. */
export function regressorCount (covariates: number): number {
  return Math.min(mostRegressors.together, covariates * mostRegressors.perCovariate)
}

/** The features of the model of all series. */
export function featureCount (block: FeatureEngineeringSpec | undefined, regressors: number): number {
  return features.always + features.perRegressor * regressors + (block === undefined ? 0 : featuresOf(block))
}

/** Whether steps are shorter than two hours. */
function isHighFrequency (freq = ''): boolean {
  return /^\d*s$|^(?:\d{0,2}|1[01]\d)min$|^1?h$/.test(freq)
}

/** Whether steps are counted in weeks or shorter units. */
function isWeeklyOrShorter (freq = ''): boolean {
  return /^\d*(?:s|min|h|D|B|W(?:-[A-Z]{3})?)$/.test(freq)
}

/** Whether this is the length of a year of days or weeks. Multiples of them are taken for them. */
function isAYear (length: number, freq = ''): boolean {
  return length >= (freq.includes('W') ? 52 : 260)
}

/** Cost of the model of all series, where the preset uses one for this dataset. */
function learningMs ({ freq, rows, series }: Counts,
  { preset, predictionLength, featureEngineering: block }: ForecastSpec, regressors: number): number {
  const isSmall = preset === 'balanced' && series < dozens && !isHighFrequency(freq) && regressors === 0 &&
    block === undefined
  const isLearned = {
    fast: block !== undefined,
    balanced: !isSmall || (isWeeklyOrShorter(freq) && isAYear(rows / series, freq)),
    best: true
  }
  if (!isLearned[preset]) return 0
  const width = featureCount(block, regressors)
  const learned = rows * Math.min(predictionLength, mostRowsOfValue)
  if (preset === 'fast') {
    const { mostRows, mostProducts, perProduct } = costOfLine
    return perProduct * Math.min(mostProducts, Math.min(mostRows, learned) * width ** 2)
  }
  const { mostRows, times, splits } = effortOfTrees[isSmall ? 'small' : preset]
  const { perCell, splitsPerFeature, splittableRows } = costOfTrees
  return times * width *
    (perCell * Math.min(mostRows, learned) + splits * splitsPerFeature * Math.min(1, learned / splittableRows))
}

/** How many numbers the plot of the history, the forecast and the last backtest of each series has. */
export function plotFigures ({ series }: Pick<Counts, 'series'>,
  { explainability, predictionLength, quantileLevels }: ForecastSpec): number {
  if (explainability?.analyses.includes('forecast_plot') !== true) return 0
  const history = explainability.trailingHistorySteps ?? Math.min(2 * predictionLength, 120)
  return Math.min(costOfPlot.mostFigures, series * (history + 2 * predictionLength * (quantileLevels.length + 1)))
}

/**
 * Cost of a forecast or a training, in milliseconds of one core. `covariates`: a request for an estimate may give only
 * their number.
 */
export function forecastCostMs (dataset: Counts, spec: ForecastSpec, covariates = covariateCount(spec)): number {
  const maker = spec.modelId === undefined ? spec.preset : 'model'
  const counts = withSums(withGaps(dataset, covariates, maker), spec)
  const { perSeries, perStep } = costByMaker[maker]
  const steps = (counts.rows + counts.series * spec.predictionLength) *
    (maker === 'model' ? Math.max(1, (dataset.features ?? 0) / features.always) : 1)
  const isFitted = maker === 'balanced' || maker === 'best'
  const regressors = regressorCount(covariates)
  const localMs = counts.series * perSeries + steps * (perStep + (isFitted ? costOfRegressors * regressors ** 2 : 0))
  const effectMs = regressors === 0 || maker === 'model'
    ? 0
    : Math.min(steps, counts.series * costOfEffect.mostSteps) *
      (costOfEffect.perStep + costOfEffect.perRegressor * regressors)
  const globalMs = maker === 'model' ? 0 : learningMs(counts, spec, regressors)
  const { perFigure, usualLevels } = costOfWriting
  const figures = counts.series * spec.predictionLength * Math.max(0, spec.quantileLevels.length - usualLevels)
  return (localMs + effectMs + globalMs) * forecastsPerSeries(spec) * (1 + (spec.training?.validationWindows ?? 0)) +
    perFigure * figures + costOfPlot.perFigure * plotFigures(counts, spec)
}

/** The number of covariate columns, including external ones. */
export function covariateCount ({ columns, externalCovariates }: ForecastSpec): number {
  return (columns.covariates?.length ?? 0) + externalColumnCount(externalCovariates)
}

/**
 * Several kinds of trees, each with folds: 130 rows of 5 columns took 3 s, 10,000 rows of 20 columns 13 s on two cores.
 */
const costOfTable = { least: 4_000, perCell: 0.1 }

/** Cost of a classification or regression, in milliseconds of one core. */
export function tableCostMs ({ rows, columns }: Pick<TabularProfile, 'rows' | 'columns'>): number {
  return costOfTable.least + costOfTable.perCell * rows * columns
}
