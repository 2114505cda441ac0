import { plainName } from '../metric-names.ts'

interface ModelText {
  label: string
  /** How it forecasts, in one sentence. */
  meaning: string
}

/** By registry name; a model that is missing here is shown under its registry name. */
const models: Record<string, ModelText> = {
  combination: {
    label: 'Combination',
    meaning: 'The weighted models together, with intervals corrected by the test: what the forecast is made with.'
  },
  baseline: {
    label: 'Baseline',
    meaning: 'The last season again, or the last value where there is no season; covariates are no part of it.'
  },
  seasonal_naive: {
    label: 'Last season',
    meaning: 'The last season again, or the last value where there is no season.'
  },
  drift: { label: 'Drift', meaning: 'The line from the first value to the last, continued.' },
  ses: { label: 'Exponential smoothing, level', meaning: 'A level that follows the newest values most.' },
  holt: { label: 'Exponential smoothing, trend', meaning: 'A level and a slope that follow the newest values most.' },
  damped_trend: { label: 'Exponential smoothing, damped trend', meaning: 'A level and a slope that levels off.' },
  ets: {
    label: 'Exponential smoothing',
    meaning: 'Level, slope and season that follow the newest values most; the form that fits best.'
  },
  auto_ets: {
    label: 'Exponential smoothing, all forms',
    meaning: 'As exponential smoothing, chosen among more forms.'
  },
  dotm: { label: 'Theta', meaning: 'A straight line and a smoothed level, optimised together.' },
  auto_theta: {
    label: 'Theta, all forms',
    meaning: 'A straight line and a smoothed level, in the form that fits best.'
  },
  theta_boxcox: {
    label: 'Theta on transformed values',
    meaning: 'A straight line and a smoothed level, on values whose spread was made even.'
  },
  ces: {
    label: 'Complex smoothing',
    meaning: 'Complex exponential smoothing (CES): the level is smoothed together with a second, hidden part. The ' +
      'two can follow a trend or a cycle without a parameter for either.'
  },
  arima: { label: 'ARIMA', meaning: 'Differences explained by earlier differences and earlier errors.' },
  fourier_arima: { label: 'ARIMA with seasonal waves', meaning: 'Long seasons as a sum of waves, the rest as ARIMA.' },
  autoregression: {
    label: 'Autoregression',
    meaning: 'A weighted sum of earlier values, those of the season among them.'
  },
  mstl: { label: 'Several seasons', meaning: 'Seasons of all lengths taken apart, the rest smoothed.' },
  level_shape: { label: 'Level and shape', meaning: 'The usual shape of a season at the newest level.' },
  seasonal_regression: {
    label: 'Deviations from the usual day',
    meaning: 'How far hours and days differ from the usual day, as far as earlier differences foretell it.'
  },
  shrunken_season: {
    label: 'Level and cautious season',
    meaning: 'What a few values can carry: their level, and a part of what their season says.'
  },
  damped_growth: { label: 'Damped growth', meaning: 'Growth that slows down.' },
  croston_sba: {
    label: 'Intermittent demand, sizes and gaps',
    meaning: 'Smoothed sizes of demand over smoothed gaps between it.'
  },
  tsb: { label: 'Intermittent demand, chance', meaning: 'Smoothed sizes of demand times the smoothed chance of any.' },
  adida: { label: 'Intermittent demand, sums', meaning: 'Sums over longer steps, forecast and split up again.' },
  pooled_network: {
    label: 'Network of all series',
    meaning: 'Small neural networks that learned from all series of a kind at once.'
  },
  global_direct: {
    label: 'Trees of all series',
    meaning: 'Decision trees that learned from all series at once, a step of the horizon at a time.'
  },
  global_recursive: {
    label: 'Trees of all series, step by step',
    meaning: 'The same, going on from its own forecasts.'
  },
  tuned_direct: {
    label: 'Fine-tuned trees',
    meaning: 'Decision trees from the training, a step of the horizon at a time.'
  },
  tuned_recursive: { label: 'Fine-tuned trees, step by step', meaning: 'The same, going on from their own forecasts.' },
  tuned_linear: { label: 'Fine-tuned linear model', meaning: 'A linear model from the training.' }
}

export function modelLabel (name: string): string {
  return textOf(name)?.label ?? plainName(name)
}

/** Empty for an unknown model. */
export function modelMeaning (name: string): string {
  return textOf(name)?.meaning ?? ''
}

function textOf (name: string): ModelText | undefined {
  return Object.hasOwn(models, name) ? models[name] : undefined
}
