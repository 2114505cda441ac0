import { readFileSync } from 'node:fs'
import type { JobExplanation } from '../domain/explainability-spec.ts'
import type { JobWarning } from '../domain/job-result.ts'
import type { ReconciliationSummary } from '../domain/reconciliation-summary.ts'
import type { AnalysesDocument } from '../report/analyses/analyses-document.ts'
import { causeText } from '../report/cause-text.ts'
import { explain, type Explanation, type ExplanationKeys } from '../report/explanation/explain.ts'
import type { Drivers, Findings } from '../report/explanation/findings.ts'
import { defined } from '../platform/defined.ts'

/** The file in which the engine writes its findings about the series of a forecast. */
interface FindingsFile {
  findings: Findings
  target: string
  freq: string
  dates: Record<string, string>
  /** All series of the job; the findings may cover only the largest ones. */
  total_series: number
}

/** Other facts about the forecast, if the job asked for them. */
export interface ExplanationFacts {
  analyses?: AnalysesDocument
  reconciliation?: ReconciliationSummary
}

export type ExplainedForecast =
  | { explanation: JobExplanation, keys: ExplanationKeys, meanError?: MeanError, warning?: undefined }
  | { explanation?: undefined, keys?: undefined, meanError?: undefined, warning: JobWarning }

/** Mean absolute errors of a step of a series in the backtest, in the unit of the target. */
export interface MeanError {
  ours: number
  baseline: number
}

/** Makes the business explanation of a forecast. Never rejects: a forecast is complete without an explanation. */
export async function explainForecast (findingsPath: string,
  { analyses, reconciliation }: ExplanationFacts = {}): Promise<ExplainedForecast> {
  try {
    const { freq: frequency, total_series: totalSeries, ...input } = JSON.parse(
      readFileSync(findingsPath, 'utf8')
    ) as FindingsFile
    const drivers = driversOf(analyses)
    const { explanation, keys } = explain({
      ...{ ...input, frequency, totalSeries },
      ...defined({ drivers }),
      ...(reconciliation === undefined ? {} : { incoherence: reconciliation.maxIncoherenceBefore })
    })
    return { explanation: toRecord(explanation), keys, ...defined({ meanError: meanErrorOf(input.findings) }) }
  } catch (cause) {
    return {
      warning: {
        code: 'explanation_failed',
        message: `The forecast could not be explained in words (${
          causeText(cause)
        }); its numbers are not touched by that.`,
        count: 1
      }
    }
  }
}

/** undefined: nothing was backtested. */
function meanErrorOf ({ accuracy: { series, error, naive_error: naiveError } }: Findings): MeanError | undefined {
  return series === 0 ? undefined : { ours: error / series, baseline: naiveError / series }
}

/**
 * Undefined if there is no surrogate, or none close enough to the forecast to be quoted. A document of the wrong shape
 * is ignored here, because the code that publishes the analyses reports it.
 */
function driversOf (document: AnalysesDocument | undefined): Drivers | undefined {
  const { groups, fidelity } = document?.importance ?? {}
  if (!Array.isArray(groups) || typeof fidelity?.r2 !== 'number' || fidelity.label === 'low') return undefined
  return {
    groups: groups.flatMap(({ feature, share }) => typeof share === 'number' ? [{ feature, share }] : []),
    fidelity: { r2: fidelity.r2, label: fidelity.label }
  }
}

function toRecord (explanation: Explanation): JobExplanation {
  const {
    data_findings: dataFindings,
    forecast_summary: forecastSummary,
    operational_implications: operationalImplications,
    generated_by: generatedBy,
    ...rest
  } = explanation
  return { ...rest, dataFindings, forecastSummary, operationalImplications, generatedBy }
}
