import { html, type Html } from '../../html.ts'
import { countText, numberText } from '../../number-text.ts'
import type { Section } from '../../section.ts'
import { shownText } from '../../shown-text.ts'
import type { ExplanationFacts } from '../forecast-report.ts'

/** Longer than any of our sentences. */
const longest = 400

/** The business explanation of the forecast; null if there is none. */
export function explanationSection (explanation: ExplanationFacts | undefined): Section | null {
  if (explanation === undefined || explanation.headline === '') return null
  const { headline, dataFindings, forecastSummary, operationalImplications, caveats, confidence } = explanation
  return {
    id: 'explanation',
    title: 'In words',
    content: html`<p><strong>${shownText(headline, longest)}</strong></p>
${list('The forecast', forecastSummary)}${list('The history', dataFindings)}${
      list('What it suggests', operationalImplications)
    }${list('Keep in mind', caveats)}${volumeNote(explanation)}<p>Confidence ${
      numberText(confidence, 3)
    }: of 100 series with findings like these, the forecast of about ${
      countText(Math.round(confidence * 100))
    } comes closer to what happens than repeating the last season. That was measured on public collections of series, not on this file.</p>`
  }
}

/** Sentences about several series mention shares of the volume, so it is explained. */
function volumeNote ({ dataFindings, forecastSummary, operationalImplications, caveats }: ExplanationFacts): Html {
  if (![...dataFindings, ...forecastSummary, ...operationalImplications, ...caveats].some((sentence) =>
    sentence.includes('of the volume')
  )) return html``
  return html`<p>The volume of a series is the mean size of its latest values. A share of the volume compares some series with all that were judged.</p>
`
}

function list (title: string, sentences: readonly string[]): Html {
  if (sentences.length === 0) return html``
  return html`<h3>${title}</h3>
<ul>${
    sentences.map((sentence) =>
      html`<li>${shownText(sentence, longest)}</li>
`
    )
  }</ul>
`
}
