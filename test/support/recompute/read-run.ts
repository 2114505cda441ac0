import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { analyses } from '../../../src/domain/explainability-spec.ts'
import { createTask } from '../../../src/engine/index.ts'
import type { AnalysesDocument } from '../../../src/report/analyses/analyses-document.ts'
import { explain } from '../../../src/report/explanation/explain.ts'
import type { ForecastPlot } from '../../../src/report/forecast-plot.ts'
import type { ForecastReport } from '../../../src/report/forecast/forecast-report.ts'
import { explainForecast } from '../../../src/worker/explain-forecast.ts'
import { runForecast } from '../../../src/worker/forecast-pipeline.ts'
import { parseCsv } from '../csv.ts'
import type { Dataset } from './datasets.ts'
import type { RawSeries } from './series-facts.ts'
import { at } from './statistics.ts'

export interface Run {
  explained: ReturnType<typeof explain>
  series: RawSeries[]
  season: number
  report: ForecastReport
  findings: Record<string, unknown>
  /** Where all analyses were made. */
  document: AnalysesDocument
  folder: string
}

/** Runs the job as a slot does, and reads what it published. */
export async function runDataset (dataset: Dataset, folder: string): Promise<Run> {
  const { text, horizon, freq, covariates = [], preset = 'balanced', isAnalysed = false } = dataset
  mkdirSync(folder, { recursive: true })
  const inputPath = join(folder, 'input.csv')
  writeFileSync(inputPath, text)
  await runForecast({
    kind: 'forecast',
    ...{
      inputPaths: [inputPath],
      format: 'csv',
      compression: null,
      threads: 2,
      outputFolder: folder,
      budgetSeconds: 600,
      rollingRegressionAllowed: true
    },
    spec: {
      ...{ predictionLength: horizon, preset, freq },
      columns: { itemId: 'item_id', timestamp: 'timestamp', target: 'target', covariates },
      ...{ quantileLevels: [0.1, 0.5, 0.9], timestampFormat: 'pandas', quantileColumnStyle: 'raw' },
      // As many rows are told of as are explained, so that shares can be added up.
      explainability: {
        analyses: isAnalysed ? [...analyses] : ['forecast_plot'],
        trailingHistorySteps: null,
        maxRows: 2000,
        maxFeatures: 25,
        topKFeatures: 15,
        shapSampleSize: 2000
      }
    },
    limits: {
      maxRows: 1e8,
      maxColumns: 1000,
      maxCellChars: 65_536,
      maxSeries: 1e7,
      maxForecastPoints: 1e8,
      maxOutputBytes: 2 ** 34,
      maxCsvBytes: 2 ** 31
    }
  }, createTask())
  const read = <T>(name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T
  const report = read<ForecastReport>('report.json')
  const [plot, document] = [read<ForecastPlot>('explainability/plot.json'),
    read<AnalysesDocument>('explainability/analyses.json')]
  const { explanation: recorded, keys } = await explainForecast(join(folder, 'findings.json'), { analyses: document })
  if (recorded === undefined) throw new Error('not explained')
  const explanation = {
    ...{
      headline: recorded.headline,
      narrative: recorded.narrative,
      caveats: recorded.caveats,
      confidence: recorded.confidence,
      generated_by: 'rules' as const
    },
    ...{
      data_findings: recorded.dataFindings,
      forecast_summary: recorded.forecastSummary,
      operational_implications: recorded.operationalImplications
    }
  }
  const series = rawSeries(dataset, readFileSync(join(folder, 'forecast.csv'), 'utf8'), plot, report)
  return {
    explained: { explanation, keys },
    series,
    season: report.season_length,
    report,
    findings: read('findings.json'),
    document,
    folder
  }
}

/** The number of a day, a month or a year. */
export function placeOf (freq: Dataset['freq'], stamp: string): number {
  const date = new Date(`${stamp.slice(0, 10)}T00:00:00Z`)
  if (freq === 'D') return date.getTime() / 86_400_000
  return freq === 'MS' ? 12 * date.getUTCFullYear() + date.getUTCMonth() : date.getUTCFullYear()
}

function rawSeries ({ text, freq }: Dataset, forecast: string, plot: ForecastPlot,
  report: ForecastReport): RawSeries[] {
  const rows = new Map<string, Array<[place: number, value: number]>>()
  for (const [item = '', stamp = '', value = ''] of parseCsv(text).slice(1)) {
    if (value === '') continue
    const own = rows.get(item) ?? []
    own.push([placeOf(freq, stamp), Number(value)])
    rows.set(item, own)
  }
  const ahead = new Map<string, string[][]>()
  for (const row of parseCsv(forecast).slice(1)) ahead.set(row[0] ?? '', [...ahead.get(row[0] ?? '') ?? [], row])
  const shown = new Map(plot.series.map((one) => [one.item_id, one]))
  return [...rows].map(([item, observed]) => {
    const start = at(observed, 0)[0]
    const values = Array<number>(at(observed, observed.length - 1)[0] - start + 1).fill(NaN)
    for (const [place, value] of observed) values[place - start] = value
    const column = (index: number) => (ahead.get(item) ?? []).map((row) => Number(row[index]))
    const backtest = shown.get(item)?.backtest ?? null
    const coverage =
      report.classes.find(({ class: name }) => name === classOf(values, report.season_length))?.leaderboard?.scores
        .find(({ model }) => model === 'combination')?.coverage_80 ?? NaN
    return {
      ...{ item, start, values, mean: column(2), lower: column(3), upper: column(5) },
      backtest: backtest === null
        ? null
        : { start: placeOf(freq, at(plot.axis, backtest.from)), mean: backtest.mean.map(Number), coverage }
    }
  })
}

/** The class of a series, as `src/services/forecasts/report.md` has it, for those that are tested. */
function classOf (values: readonly number[], season: number): string {
  const seen = values.filter((value) => !Number.isNaN(value))
  if (seen.every((value) => value >= 0) && seen.length / seen.filter((value) => value > 0).length > 1.32) {
    return 'intermittent'
  }
  if (season < 2) return 'unseasonal'
  if (values.length < Math.min(48, season <= 7 ? 4 * season : 2 * season)) return 'short'
  if (values.length < 2 * season) return 'unseasonal'
  return season <= 12 ? 'short_season' : 'long_season'
}
