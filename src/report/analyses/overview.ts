import { percentText } from '../number-text.ts'
import type { AnalysesDocument, AnalysisName } from './analyses-document.ts'
import { selectedAnalyses, warningText } from './analyses-summary.ts'
import { analysisTitle, notApplicable, reasonText } from './analysis-words.ts'
import { markdownText } from './markdown.ts'
import { subjectOf } from './subject.ts'
import { surrogateText } from './surrogate-text.ts'

const mostCharacters = 1500

/** The analyses in Markdown, in at most 1,500 characters. Lines that do not fit are left out. */
export function overviewMarkdown (document: AnalysesDocument, mostFeatures: number): string {
  const { completed, skipped, importance, shap, warnings, target } = document
  const subject = subjectOf(document)
  // The reader need not hear about analyses that do not apply.
  const selected = selectedAnalyses(document).filter((name) => skipped[name] !== notApplicable)
  const done = selected.filter((name) => completed.includes(name))
  const titles = (names: readonly AnalysisName[]) => names.map((name) => analysisTitle(name, document)).join(', ')
  const lines = [
    `**Analyses of the ${subject.result} of ${markdownText(target, 60)}**`,
    done.length === 0 ? 'No analysis was completed.' : `Completed: ${titles(done)}.`,
    ...selected.flatMap((name) =>
      skipped[name] === undefined
        ? []
        : [`- ${analysisTitle(name, document)} was skipped: ${markdownText(reasonText(skipped[name], document), 60)}.`]
    ),
    ...importance === null && shap === null ? [] : [surrogateText(importance, subject)],
    ...(importance?.features ?? []).slice(0, Math.min(5, mostFeatures)).map(({ feature, share, direction }) =>
      `- ${markdownText(feature)}: ${percentText(share)} of the importance${direction === null ? '' : `, ${direction}`}`
    ),
    ...warnings.map((warning) => `- Warning: ${markdownText(warningText(warning), 200)}`)
  ]
  return fitting(lines)
}

function fitting (lines: readonly string[]): string {
  let text = ''
  for (const [index, line] of lines.entries()) {
    // A list continues on the next line; a new paragraph needs an empty one.
    const isListed = line.startsWith('- ') && (lines[index - 1]?.startsWith('- ') ?? false)
    const longer = text === '' ? line : `${text}${isListed ? '\n' : '\n\n'}${line}`
    if (longer.length <= mostCharacters) text = longer
  }
  return text
}
