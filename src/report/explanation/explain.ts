import { caveats } from './caveats.ts'
import type { ExplanationInput } from './findings.ts'
import { against, comparison, forecastSummary } from './forecast-summary.ts'
import { implications } from './implications.ts'
import { panelFindings } from './panel-findings.ts'
import { sceneOf, type Scene } from './scene.ts'
import { number, say, type Sentence, type SentenceKey } from './sentence.ts'
import { earlier, seriesFindings, surely } from './series-findings.ts'

/** The business explanation of a job, in the form of the API. */
export interface Explanation {
  headline: string
  narrative: string
  data_findings: string[]
  forecast_summary: string[]
  operational_implications: string[]
  caveats: string[]
  /** From 0 to 1: the lower, the less the forecast should be trusted. */
  confidence: number
  generated_by: 'rules'
}

/** The rule and the numbers behind each sentence of the explanation, in the same order. */
export interface ExplanationKeys {
  headline: SentenceKey[]
  narrative: SentenceKey[]
  data_findings: SentenceKey[]
  forecast_summary: SentenceKey[]
  operational_implications: SentenceKey[]
  caveats: SentenceKey[]
}

const most = { findings: 5, summary: 4, implications: 4, caveats: 5 }

/**
 * Writes the explanation of the engine's findings. Equal findings give equal texts, and no findings give no text.
 * Throws a RangeError if a step that a sentence names has no date.
 */
export function explain (input: ExplanationInput): { explanation: Explanation, keys: ExplanationKeys } {
  const scene = sceneOf(input)
  const isEmpty = input.findings.series === 0
  const found = isEmpty
    ? []
    : [...seriesFindings(scene), ...panelFindings(scene)].sort((left, right) => right.weight - left.weight).slice(0,
      most.findings)
  const summary = isEmpty ? [] : forecastSummary(scene).slice(0, most.summary)
  const advice = isEmpty ? [] : implications(scene).slice(0, most.implications)
  const limits = isEmpty ? [] : caveats(scene).slice(0, most.caveats)
  const headline = isEmpty ? [] : headlineOf(scene)
  const narrative = [...summary.slice(0, 1), ...found.slice(0, 1), ...summary.slice(1, 2), ...limits.slice(0, 1)]
  const texts = (sentences: readonly Sentence[]) => sentences.map(({ text }) => text)
  const keys = (sentences: readonly Sentence[]) => sentences.map(({ key }) => key)
  return {
    explanation: {
      headline: texts(headline).join(' '),
      narrative: texts(narrative).join(' '),
      data_findings: texts(found),
      forecast_summary: texts(summary),
      operational_implications: texts(advice),
      caveats: texts(limits),
      confidence: isEmpty ? 0 : Math.round(input.findings.confidence.value * 1000) / 1000,
      generated_by: 'rules'
    },
    keys: {
      headline: keys(headline),
      narrative: keys(narrative),
      data_findings: keys(found),
      forecast_summary: keys(summary),
      operational_implications: keys(advice),
      caveats: keys(limits)
    }
  }
}

function headlineOf (scene: Scene): Sentence[] {
  const { main, subject, time } = scene
  const compared = main?.comparison ?? null
  const outlook = main?.outlook ?? null
  if (compared !== null && !compared.about_same) {
    return [
      say('comparison')`${subject} is forecast to be ${against(compared)} its level ${
        earlier(scene, compared.seasons)
      } over ${time.steps(compared.steps)}${surely(scene)}.`
    ]
  }
  if (compared !== null) return comparison(scene, compared)
  if (outlook !== null) {
    return [
      say('outlook')`${subject} is forecast to average ${number('mean', outlook.mean)} over ${
        time.steps(outlook.steps)
      }${surely(scene)}.`
    ]
  }
  return []
}
