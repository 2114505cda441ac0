import type { DatasetProfile } from '../../domain/dataset-profile.ts'
import { externalColumnCount } from '../../domain/external-covariates-spec.ts'
import type { FeatureEngineeringSpec, ForecastSpec, Preset } from '../../domain/forecast-spec.ts'
import type { TabularProfile } from '../../domain/tabular-spec.ts'

/**
 * Rough cost of one series in milliseconds of one core: a constant, and a part that grows with its length and its
 * horizon and with the covariates. Only the order of magnitude matters: it decides which jobs may not hold up the
 * others, and the deployment's own timings put it right where it is told to people. Daily series of 60, 500 and 2,000
 * values took 8, 46 and 128 ms each with `balanced`, 52, 395 and 1,359 ms with `best`, the trees of all series among
 * them. With a fine-tuned model there is nothing to fit: 20,000 series of 28 steps took 2.2 s.
 */
const costByMaker: Record<Preset | 'model', { perSeries: number, perStep: number }> = {
  model: { perSeries: 0.1, perStep: 0.002 },
  fast: { perSeries: 0.2, perStep: 0.002 },
  balanced: { perSeries: 1, perStep: 0.065 },
  best: { perSeries: 5, perStep: 0.35 }
}

/** Milliseconds of a core per step for the square of the number of regressors: each model fits them again and again. */
const costOfRegressors = 0.0005
/** A covariate of text gives as many columns as it has categories, up to a dozen; all of them together this many. */
const mostRegressors = { perCovariate: 12, together: 30 }

/**
 * Trees that learn from all series at once: each of their rounds looks at every feature of every row, and at every
 * border between values of every feature for a split, of which there are fewer in fewer rows. Rows are bounded,
 * features are not: 442 of them took 15 s of a core with `balanced`, for 4,800 values. Milliseconds of both trainings,
 * for the backtest and for the forecast; `best` has more rounds and models.
 */
const costOfTrees = { perCell: 0.00055, splitsPerFeature: 12, splittableRows: 5_000 }
const effortOfTrees = { balanced: { mostRows: 60_000, times: 1 }, best: { mostRows: 250_000, times: 3 } }
/** `fast` fits a line to the features instead; it takes fewer rows where they are wide, so its cost is bounded. */
const costOfLine = { mostRows: 100_000, mostProducts: 1e9, perProduct: 4e-7 }
/** A value is learned from at several steps of the horizon. */
const mostRowsOfValue = 10
/** Features that there are without any block, those of the calendar in a block, and those of a covariate's column. */
const features = { always: 40, calendar: 20, perRegressor: 5 }
/** With fewer series, `balanced` learns from all of them only where there are covariates or a block. */
const dozens = 24

/**
 * Milliseconds of a figure that is written, read, packed and drawn: 6.6 million of them took 3.5 s without the engine,
 * which takes 3 million at most.
 */
const costOfPlot = { perFigure: 0.001, mostFigures: 3e6 }

/** What the dataset looks like, as far as the cost depends on it. One that was read has `nodes` and `maxLength`. */
export type Counts = Pick<DatasetProfile, 'rows' | 'series'> & Partial<Pick<DatasetProfile, 'maxLength' | 'nodes'>>

/**
 * What is forecast: the sums of a hierarchy too, each as long as the longest series may make it. Where nobody has
 * counted them, there are as many as series: fewer, unless parents have one child each.
 */
function withSums ({ rows, series, maxLength, nodes }: Counts, { reconciliation }: ForecastSpec): Counts {
  if (reconciliation === undefined) return { rows, series }
  if (nodes === undefined || maxLength === undefined) return { rows: 2 * rows, series: 2 * series }
  return { rows: rows + (nodes - series) * maxLength, series: nodes }
}

/** Weights from a backtest cost one more forecast a window. */
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

/** Of the model of all series, where the preset has one for this dataset. */
function learningMs ({ rows, series }: Counts, { preset, predictionLength, featureEngineering: block }: ForecastSpec,
  regressors: number): number {
  const isLearned = {
    fast: block !== undefined,
    balanced: series >= dozens || regressors > 0 || block !== undefined,
    best: true
  }
  if (!isLearned[preset]) return 0
  const width = features.always + features.perRegressor * regressors + (block === undefined ? 0 : featuresOf(block))
  const learned = rows * Math.min(predictionLength, mostRowsOfValue)
  if (preset === 'fast') {
    const { mostRows, mostProducts, perProduct } = costOfLine
    return perProduct * Math.min(mostProducts, Math.min(mostRows, learned) * width ** 2)
  }
  const { mostRows, times } = effortOfTrees[preset]
  const { perCell, splitsPerFeature, splittableRows } = costOfTrees
  return times * width *
    (perCell * Math.min(mostRows, learned) + splitsPerFeature * Math.min(1, learned / splittableRows))
}

/** Of the history, the forecast and the last backtest of each series. */
function plotMs ({ series }: Counts, { explainability, predictionLength, quantileLevels }: ForecastSpec): number {
  if (explainability?.analyses.includes('forecast_plot') !== true) return 0
  const history = explainability.trailingHistorySteps ?? Math.min(2 * predictionLength, 120)
  return costOfPlot.perFigure *
    Math.min(costOfPlot.mostFigures, series * (history + 2 * predictionLength * (quantileLevels.length + 1)))
}

/**
 * Of a forecast, or of the training of a model, in milliseconds of one core. A request may say how many covariates
 * there are and not what they are called.
 */
export function forecastCostMs (dataset: Counts, spec: ForecastSpec, covariates = covariateCount(spec)): number {
  const counts = withSums(dataset, spec)
  const maker = spec.modelId === undefined ? spec.preset : 'model'
  const { perSeries, perStep } = costByMaker[maker]
  const steps = counts.rows + counts.series * spec.predictionLength
  const isFitted = maker === 'balanced' || maker === 'best'
  const regressors = Math.min(mostRegressors.together, covariates * mostRegressors.perCovariate)
  const localMs = counts.series * perSeries + steps * (perStep + (isFitted ? costOfRegressors * regressors ** 2 : 0))
  const globalMs = maker === 'model' ? 0 : learningMs(counts, spec, regressors)
  return (localMs + globalMs) * forecastsPerSeries(spec) * (1 + (spec.training?.validationWindows ?? 0)) +
    plotMs(counts, spec)
}

/** Columns that may explain the target, those from outside among them. */
export function covariateCount ({ columns, externalCovariates }: ForecastSpec): number {
  return (columns.covariates?.length ?? 0) + externalColumnCount(externalCovariates)
}

/** Folds of several kinds of trees: 130 rows of 5 columns took 3 s, 10,000 of 20 took 13 s on two cores. */
const costOfTable = { least: 4_000, perCell: 0.1 }

/** Of a classification or regression, likewise. */
export function tableCostMs ({ rows, columns }: Pick<TabularProfile, 'rows' | 'columns'>): number {
  return costOfTable.least + costOfTable.perCell * rows * columns
}
