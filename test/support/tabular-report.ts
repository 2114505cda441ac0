import type { ReportMetric, TabularReport } from '../../src/report/tabular-report.ts'

/** Numbers that look random and are the same every time, between 0 and 1. */
function noise (index: number): number {
  return (Math.sin(index * 12.9898) * 43758.5453 % 1 + 1) % 1
}

function metric (name: string, value: number | null, around: number, baseline: number | null,
  linear: number | null): ReportMetric {
  return {
    name,
    value,
    low: value === null ? null : value - around,
    high: value === null ? null : value + around,
    baseline,
    linear
  }
}

const shared = {
  v: 1,
  inference_mode: 'train_evaluate',
  model_name: 'tabular-balanced',
  counts: { num_samples: 1010, labeled: 1000, unlabeled: 10, predicted: 200, training: 800, test: 200 },
  leaderboard: [
    { member: 'boosting_default', loss: 0.312, weight: 0.42, seconds: 3.21 },
    { member: 'oblivious_boosting', loss: 0.305, weight: 0.5, seconds: 5.4 },
    { member: 'linear', loss: 0.41, weight: 0.08, seconds: 0.2 },
    { member: 'neighbours', loss: 0.52, weight: 0, seconds: 0.004 }
  ],
  evaluated_on: 'test',
  evaluated_rows: 200,
  importance: [
    { feature: 'contract_type', share: 0.413 },
    { feature: 'monthly_charges', share: 0.288 },
    { feature: 'tenure_in_months_since_the_first_contract', share: 0.2 },
    { feature: 'country', share: 0.06 },
    { feature: '__other__', share: 0.039 }
  ],
  explanation: { exact_share: 0.92, surrogate_fidelity: 0.97, max_additivity_error: 3.2e-12 },
  worst_rows: Array.from({ length: 10 }, (_, index) => ({
    row_index: 37 * index + 5,
    actual: 'yes',
    prediction: 'no',
    loss: 4.1 - index / 10,
    cells: [
      { column: 'contract_type', value: 'two years' },
      { column: 'monthly_charges', value: '18.95' },
      { column: 'tenure_in_months_since_the_first_contract', value: '72' },
      { column: 'country', value: 'PL' }
    ]
  })),
  warnings: [{
    code: 'leak_suspected',
    message:
      'The column "closed_on" alone tells the label almost exactly; it may not be known when a prediction is needed.',
    count: 1
  }],
  timings: { ingest: 0.1, fit: 12.3, explain: 0.8, write: 0.02, total: 13.3 },
  dataset_hash: 'd'.repeat(64),
  engine_version: '0.1.0'
} as const

const columns = [
  { name: 'contract_type', role: 'category', distinct: 3, missing: 0, notes: ['3 different texts.'] },
  { name: 'monthly_charges', role: 'number', distinct: 871, missing: 12, notes: ['Every cell is a number.'] },
  {
    name: 'tenure_in_months_since_the_first_contract',
    role: 'number',
    distinct: 73,
    missing: 420,
    notes: ['Every cell is a number.', '42 % of the cells are missing.']
  },
  {
    name: 'customer',
    role: 'identifier',
    distinct: 1010,
    missing: 0,
    notes: ['Every row has another text: it stays in the output and says nothing about others.']
  },
  { name: 'country', role: 'category', distinct: 12, missing: 3, notes: ['12 different texts.'] }
]

/** A report as the engine writes it, of a table with two classes. */
export function classificationReport (changes: Partial<TabularReport> = {}): TabularReport {
  return structuredClone({
    ...shared,
    problem_type: 'binary',
    label: 'churn',
    split: { kind: 'stratified', train_ratio: 0.8, folds: 8, repeats: 2, seed: '1234567890123456789' },
    classes: [{ label: 'no', rows: 734 }, { label: 'yes', rows: 266 }],
    columns: [...columns, { name: 'churn', role: 'label', distinct: 2, missing: 10, notes: ['2 classes.'] }],
    loss_name: 'log_loss',
    metrics: [
      metric('accuracy', 0.8712, 0.031, 0.734, 0.8301),
      metric('balanced_accuracy', 0.8233, 0.04, 0.5, 0.7912),
      metric('log_loss', 0.3051, 0.04, 0.579, 0.3921),
      metric('roc_auc', 0.9123, 0.03, 0.5, 0.8812),
      metric('calibration_error', 0.021, 0.01, 0.004, 0.031),
      metric('mcc', 0.66, 0.07, null, null)
    ],
    calibration: {
      method: 'temperature',
      before: 0.3112,
      after: 0.3051,
      curve: Array.from({ length: 10 }, (_, bin) => ({
        predicted: 0.05 + bin / 10,
        observed: Math.min(1, Math.max(0, 0.03 + bin / 10 + noise(bin) / 12)),
        rows: 5 + Math.round(60 * noise(bin + 30))
      }))
    },
    confusion: { labels: ['no', 'yes'], counts: [[138, 9], [17, 36]] },
    residuals: null,
    ...changes
  }) as TabularReport
}

/** As `classificationReport`, with this many classes; beyond 20 the rest is one. */
export function multiclassReport (classes: number, changes: Partial<TabularReport> = {}): TabularReport {
  const labels = Array.from({ length: classes }, (_, index) => `class ${index}`)
  const shown = classes > 20 ? [...labels.slice(0, 20), '__other__'] : labels
  return classificationReport({
    problem_type: 'multiclass',
    classes: labels.map((label, index) => ({ label, rows: 40 + 3 * (classes - index) })),
    confusion: {
      labels: shown,
      counts: shown.map((_, actual) =>
        shown.map((_, predicted) => actual === predicted ? 30 : Math.floor(4 * noise(actual * 31 + predicted)))
      )
    },
    ...changes
  })
}

/** A report as the engine writes it, of a table with a number to predict. */
export function regressionReport (changes: Partial<TabularReport> = {}): TabularReport {
  return structuredClone({
    ...shared,
    problem_type: 'regression',
    label: 'price_eur',
    split: { kind: 'random', train_ratio: 0.8, folds: 8, repeats: 1, seed: '42' },
    classes: null,
    worst_rows: shared.worst_rows.map((row, index) => ({
      ...row,
      actual: String(210_000 - index),
      prediction: String(150_000.12345678 + index),
      loss: 60_000 - index
    })),
    columns: [...columns, { name: 'price_eur', role: 'label', distinct: 990, missing: 10, notes: ['A number.'] }],
    loss_name: 'rmse',
    metrics: [metric('rmse', 21345.678, 1200, 81234.5, 33456.7), metric('mae', 15234.2, 900, 60123.4, 25123.4),
      metric('r2', 0.9312, 0.012, 0, 0.8305), metric('mape', 7.31, 0.4, 41.2, 12.3),
      metric('coverage_80', 0.812, 0.05, null, null)],
    calibration: null,
    confusion: null,
    residuals: {
      points: Array.from({ length: 400 }, (_, index) => {
        const predicted = 50_000 + 400_000 * noise(index)
        return { predicted, actual: predicted + predicted * 0.2 * (noise(index + 1000) + noise(index + 2000) - 1) }
      }),
      coverage_80: 0.812,
      width_80: 54321.9
    },
    ...changes
  }) as TabularReport
}
