import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExplainabilityOutcome, ExplainabilitySpec, ResultFile } from '../queue/messages.ts'
import type { AnalysesDocument } from '../report/analyses/analyses-document.ts'
import { failedDocument, renderOrSkip, withFailed } from '../report/analyses/render-or-skip.ts'
import type { ForecastPlot } from '../report/forecast-plot.ts'
import { renderForecastPlot } from '../report/render-forecast-plot.ts'
import { renderForecastThumbnail } from '../report/render-forecast-thumbnail.ts'
import { explainabilityFolder } from '../store/keys.ts'
import { csvType, describeFile, htmlType, jsonType, svgType } from './describe-file.ts'

/** Where the engine wrote what it found, and what it was asked for. */
export interface AskedAnalyses { folder: string, spec: ExplainabilitySpec, target: string, freq: string }

export interface FoundAnalyses extends AskedAnalyses { document: AnalysesDocument }

const contentTypes = { csv: csvType, html: htmlType, svg: svgType, json: jsonType }

/** Makes pages, drawings and the record of the analyses in `folder`. Never rejects: an analysis that cannot be shown is skipped as `failed`, with a warning. */
export async function analyseForecast (analyses: FoundAnalyses, explanationKeys: unknown): Promise<{ outcome: ExplainabilityOutcome, files: ResultFile[] }> {
  const { spec, target, freq } = analyses
  try {
    return await published({ ...analyses, document: await drawPlot(analyses) }, explanationKeys)
  } catch {
    // Not even the other analyses: a document of another shape, or no room for the files.
    const { skipped, warnings } = failedDocument(target, freq, spec.analyses)
    return { outcome: { overviewMarkdown: '', completed: [], skipped, warnings, artifacts: [] }, files: [] }
  }
}

/** What the engine found; where that cannot be read, a document of analyses that failed. */
export async function readAnalyses (asked: AskedAnalyses): Promise<FoundAnalyses> {
  const { folder, spec, target, freq } = asked
  try {
    return { ...asked, document: await readJson<AnalysesDocument>(folder, 'analyses.json') }
  } catch {
    return { ...asked, document: failedDocument(target, freq, spec.analyses) }
  }
}

/** The page and the image of the forecast, where its plot was made. */
async function drawPlot ({ folder, document }: FoundAnalyses): Promise<AnalysesDocument> {
  if (!document.completed.includes('forecast_plot')) return document
  try {
    const plot = await readJson<ForecastPlot>(folder, 'plot.json')
    const [page, thumbnail] = [renderForecastPlot(plot).html, renderForecastThumbnail(plot)]
    await writeFile(join(folder, 'forecast_plot.html'), page)
    await writeFile(join(folder, 'forecast_plot.svg'), thumbnail)
    return document
  } catch {
    return withFailed(document, 'forecast_plot')
  }
}

async function published ({ folder, spec, document }: FoundAnalyses, explanationKeys: unknown): Promise<{ outcome: ExplainabilityOutcome, files: ResultFile[] }> {
  const sizes: Record<string, number> = {}
  for (const name of await readdir(folder)) sizes[name] = (await stat(join(folder, name))).size
  const { outcome, files } = renderOrSkip({ document, files: sizes, topFeatures: spec.topKFeatures, explanationKeys })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const described: ResultFile[] = []
  for (const { name, format } of [...outcome.artifacts, { name: 'summary.json', format: 'json' } as const]) {
    described.push({ ...await describeFile(join(folder, name), contentTypes[format]), name: `${explainabilityFolder}/${name}` })
  }
  return { outcome, files: described }
}

async function readJson<T> (folder: string, name: string): Promise<T> {
  return JSON.parse(await readFile(join(folder, name), 'utf8')) as T
}
