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
    }${list('Keep in mind', caveats)}${volumeNote(explanation)}<p>In about ${
      countText(Math.round(confidence * 100))
    } of 100 similar public series the forecast came closer to what happened than the season before did (confidence ${
      numberText(confidence, 3)
    }).</p>`
  }
}

/** Sentences about several series mention shares of the volume, so it is explained. */
function volumeNote ({ dataFindings, forecastSummary, operationalImplications, caveats }: ExplanationFacts): Html {
  if (![...dataFindings, ...forecastSummary, ...operationalImplications, ...caveats].some((sentence) =>
    sentence.includes('of the volume')
  )) return html``
  return html`<p>Shares of the volume are of all series that were judged, each counting with the mean size of its latest values.</p>
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
