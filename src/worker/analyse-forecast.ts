import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnalysesDocument } from '../report/analyses/analyses-document.ts'
import { withFailed } from '../report/analyses/render-or-skip.ts'
import type { ForecastPlot } from '../report/forecast-plot.ts'
import { renderForecastPlot } from '../report/render-forecast-plot.ts'
import { renderForecastThumbnail } from '../report/render-forecast-thumbnail.ts'
import { publishAnalyses, readJson, type FoundAnalyses, type PublishedAnalyses } from './publish-analyses.ts'

/**
 * Makes the pages, drawings and record of a forecast's analyses, its plot included. Never rejects: an analysis that
 * cannot be shown is marked as skipped (`failed`), with a warning.
 */
export async function analyseForecast (found: FoundAnalyses, explanationKeys: unknown): Promise<PublishedAnalyses> {
  return await publishAnalyses(found, explanationKeys, drawPlot)
}

/** The page and the image of the forecast, if the engine wrote its plot. */
async function drawPlot ({ folder, document }: FoundAnalyses): Promise<AnalysesDocument> {
  if (!document.completed.includes('forecast_plot')) return document
  try {
    const plot = await readJson<ForecastPlot>(folder, 'plot.json')
    const [page, thumbnail] = [renderForecastPlot(plot).html, renderForecastThumbnail(plot)]
    await writeFile(join(folder, 'forecast_plot.html'), page)
    await writeFile(join(folder, 'forecast_plot.svg'), thumbnail)
    return document
  } catch (cause) {
    return withFailed(document, 'forecast_plot', cause)
  }
}
