import { numberText, percentText } from './number-text.ts'
import { shownText } from './shown-text.ts'

interface Metric {
  label: string
  /** The meaning, in one sentence. */
  meaning: string
  /** null: neither direction is better. */
  better: 'higher' | 'lower' | null
  /** A share from 0 to 1, or per cent. */
  unit?: 'share' | 'percent'
}

/** Metrics of tables and of forecasts. One that is missing here is shown under its own name, without a judgement. */
const metrics: Record<string, Metric> = {
  accuracy: {
    label: 'Accuracy',
    meaning: 'Share of the rows whose class is predicted.',
    better: 'higher',
    unit: 'share'
  },
  balanced_accuracy: {
    label: 'Balanced accuracy',
    meaning: 'The same share for each class, averaged, so that rare classes count as much as frequent ones.',
    better: 'higher',
    unit: 'share'
  },
  log_loss: {
    label: 'Log loss',
    meaning: 'How far the probabilities are from what happened; being sure and wrong costs most.',
    better: 'lower'
  },
  brier: {
    label: 'Brier score',
    meaning: 'Mean squared distance of the probabilities from what happened.',
    better: 'lower'
  },
  calibration_error: {
    label: 'Calibration error',
    meaning:
      'How far a probability is, on average, from the share of rows where it came true; the baseline is right by ' +
      'saying nothing.',
    better: null
  },
  roc_auc: {
    label: 'Area under the ROC curve',
    meaning: 'How well rows of a class are ranked before the others: 0.5 is chance, 1 is perfect.',
    better: 'higher'
  },
  pr_auc: {
    label: 'Area under the precision-recall curve',
    meaning: 'How well the rows of a class are found without false alarms; 1 is perfect.',
    better: 'higher'
  },
  macro_f1: {
    label: 'F1, mean of the classes',
    meaning: 'Balance of false alarms and missed rows, each class counting alike.',
    better: 'higher'
  },
  mcc: {
    label: 'Matthews correlation',
    meaning: 'Agreement of predicted and actual classes: 0 is chance, 1 is perfect.',
    better: 'higher'
  },
  rmse: {
    label: 'Root mean squared error',
    meaning: 'Typical error in the unit of the label; large errors weigh more.',
    better: 'lower'
  },
  mae: { label: 'Mean absolute error', meaning: 'Average error in the unit of the label.', better: 'lower' },
  median_absolute_error: {
    label: 'Median absolute error',
    meaning: 'Half of the rows have a smaller error.',
    better: 'lower'
  },
  mape: {
    label: 'Mean absolute percentage error',
    meaning: 'Average error as a share of the actual value.',
    better: 'lower',
    unit: 'percent'
  },
  r2: {
    label: 'R² (variance explained)',
    meaning: 'Share of the variation of the label that is explained: 0 is the mean, 1 is perfect.',
    better: 'higher'
  },
  spearman: {
    label: 'Rank correlation',
    meaning: 'Agreement of the order of the rows: 0 is none, 1 is perfect.',
    better: 'higher'
  },
  pinball: { label: 'Pinball loss', meaning: 'Error of the quantiles in the unit of the label.', better: 'lower' },
  coverage_80: {
    label: 'Coverage of the 80 % interval',
    meaning: 'Share of the actual values inside it; it should be near 80 %.',
    better: null,
    unit: 'share'
  },
  coverage_95: {
    label: 'Coverage of the 95 % interval',
    meaning: 'Share of the actual values inside it; it should be near 95 %.',
    better: null,
    unit: 'share'
  },
  mase: {
    label: 'Mean absolute scaled error',
    meaning:
      'Average error divided by the usual change from one season to the next. Below 1 the error is smaller than that ' +
      'of repeating the last season usually is.',
    better: 'lower'
  },
  smape: {
    label: 'Symmetric mean absolute percentage error',
    meaning: 'Average error as a share of the mean of forecast and actual value, up to 200 %. It says little where ' +
      'many values are zero.',
    better: 'lower',
    unit: 'percent'
  },
  wql: {
    label: 'Weighted quantile loss',
    meaning: 'Error of the quantiles 0.1 to 0.9 as a share of the actual values.',
    better: 'lower'
  },
  width_80: {
    label: 'Width of the 80 % interval',
    meaning: 'Mean width in the unit of the label; narrower is better where the coverage is right.',
    better: null
  }
}

export function metricOf (name: string): Metric | undefined {
  return Object.hasOwn(metrics, name) ? metrics[name] : undefined
}

/** A figure of a metric, in its unit. */
export function figureText (name: string, value: number | null): string {
  const unit = metricOf(name)?.unit
  if (unit === undefined) return numberText(value)
  return percentText(unit === 'share' || value === null ? value : value / 100)
}

/** The label of a metric. */
export function metricLabel (name: string): string {
  return metricOf(name)?.label ?? plainName(name)
}

/** `some_name` as `Some name`. */
export function plainName (name: string): string {
  const words = shownText(name).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
