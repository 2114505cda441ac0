/** A job that is run only to measure its time. */
export interface CalibrationJob {
  name: string
  route: '/forecast' | '/v2/classify' | '/v2/regress'
  fields: Record<string, string>
  csv: () => string
}

interface Panel {
  series: number
  length: number
  covariates: number
}

/** Sizes an order of magnitude apart; every job is close enough to one of them. */
const panels: Record<'fast' | 'balanced' | 'best', Panel[]> = {
  fast: [{ series: 1, length: 200, covariates: 0 }, { series: 30, length: 150, covariates: 0 }, {
    series: 300,
    length: 150,
    covariates: 0
  }, { series: 3000, length: 100, covariates: 0 }, { series: 100, length: 200, covariates: 3 }],
  balanced: [{ series: 1, length: 200, covariates: 0 }, { series: 10, length: 300, covariates: 2 }, {
    series: 60,
    length: 150,
    covariates: 0
  }, { series: 400, length: 120, covariates: 0 }, { series: 60, length: 150, covariates: 3 }],
  best: [{ series: 1, length: 200, covariates: 0 }, { series: 10, length: 150, covariates: 0 }, {
    series: 60,
    length: 120,
    covariates: 0
  }, { series: 20, length: 200, covariates: 2 }]
}
const tables = [{ rows: 150, columns: 6 }, { rows: 1500, columns: 12 }] as const

/** Small jobs first. One size of each preset also runs with analyses. */
export function calibrationJobs (): CalibrationJob[] {
  const jobs: CalibrationJob[] = []
  for (const preset of ['fast', 'balanced', 'best'] as const) {
    for (const [at, panel] of panels[preset].entries()) {
      const { series, length, covariates } = panel
      const fields = {
        presets: preset,
        prediction_length: '14',
        ...(covariates > 0 ? { covariates: covariateNames(covariates).join(',') } : {})
      }
      const name = `${preset}: ${series} series of ${length} points${
        covariates > 0 ? `, ${covariates} covariates` : ''
      }`
      jobs.push({ name, route: '/forecast', fields, csv: () => panelCsv(panel, 14) })
      if (at === 2) {
        jobs.push({
          name: `${name}, with analyses`,
          route: '/forecast',
          fields: { ...fields, explainability: '{"enabled":true}' },
          csv: () => panelCsv(panel, 14)
        })
      }
    }
  }
  for (const table of tables) {
    const size = `${table.rows} rows of ${table.columns} columns`
    jobs.push({ name: `classification: ${size}`, route: '/v2/classify', fields: {}, csv: () => tableCsv(table, true) })
    jobs.push({ name: `regression: ${size}`, route: '/v2/regress', fields: {}, csv: () => tableCsv(table, false) })
  }
  return jobs
}

function covariateNames (count: number): string[] {
  return Array.from({ length: count }, (_, at) => `covariate_${at}`)
}

/** Deterministic noise without a pattern: fractional parts of multiples of the golden ratio. */
function fraction (step: number): number {
  return (step * 0.6180339887498949) % 1
}

/** Daily series with a weekly pattern, a slope and noise. Covariates are known for the horizon. */
export function panelCsv ({ series, length, covariates }: Panel, horizon: number): string {
  const lines = [['item_id', 'timestamp', 'target', ...covariateNames(covariates)].join(',')]
  const ahead = covariates > 0 ? horizon : 0
  for (let item = 0; item < series; item++) {
    for (let step = 0; step < length + ahead; step++) {
      const others = covariateNames(covariates).map((_, at) => fraction(7 * step + 13 * item + 101 * at + 1).toFixed(3))
      const value = 100 + item % 50 + 0.05 * step + 10 * Math.sin(2 * Math.PI * step / 7) +
        8 * fraction(31 * item + step) + 5 * Number(others[0] ?? 0)
      const date = new Date(Date.UTC(2024, 0, 1 + step)).toISOString().slice(0, 10)
      lines.push([`s${item}`, date, step < length ? value.toFixed(2) : '', ...others].join(','))
    }
  }
  return lines.join('\n') + '\n'
}

function tableCsv ({ rows, columns }: { rows: number, columns: number }, isClassified: boolean): string {
  const lines = [['target', ...Array.from({ length: columns - 1 }, (_, at) => `x${at}`)].join(',')]
  for (let row = 0; row < rows; row++) {
    const cells = Array.from({ length: columns - 1 }, (_, at) => fraction(row * (at + 1) + 17 * at))
    const value = 3 * (cells[0] ?? 0) - 2 * (cells[1] ?? 0) + fraction(row * 97)
    lines.push(
      [isClassified ? value > 1 ? 'yes' : 'no' : value.toFixed(3), ...cells.map((cell) => cell.toFixed(4))].join(',')
    )
  }
  return lines.join('\n') + '\n'
}
