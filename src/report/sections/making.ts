import { dataTable } from '../data-table.ts'
import { factList } from '../fact-list.ts'
import { html } from '../html.ts'
import { metricLabel, plainName } from '../metric-names.ts'
import { countOf, countText, numberText, percentText, secondsText } from '../number-text.ts'
import type { Section } from '../section.ts'
import { shownText } from '../shown-text.ts'
import type { ReportSplit, TabularReport } from '../tabular-report.ts'

/** How the model was made, in enough detail to make it again. */
export function makingSection (report: TabularReport): Section {
  const lossName = metricLabel(report.loss_name)
  const members = [...report.leaderboard].sort((a, b) => b.weight - a.weight || a.loss - b.loss)
  return {
    id: 'making',
    title: 'How it was made',
    content: html`<p>${
      splitText(report.split, report.counts.test)
    } The model is a weighted mean of the members that made it better on rows they had not seen.</p>
${
      dataTable({
        caption: 'Members of the model',
        head: ['Member', `${lossName} of rows held back`, 'Weight', 'Time'],
        rows: members.map((
          { member, loss, weight, seconds }
        ) => [plainName(member), numberText(loss), weight === 0 ? 'not taken' : percentText(weight),
          secondsText(seconds)]
        ),
        numbers: [1, 2, 3]
      })
    }
<details><summary>Times and versions</summary>
${
      factList([
        ...Object.entries(report.timings).map(([stage, seconds]) => ({
          name: plainName(stage),
          value: secondsText(seconds)
        })),
        { name: 'Model', value: shownText(report.model_name) },
        { name: 'Engine', value: shownText(report.engine_version) },
        { name: 'Seed', value: shownText(report.split.seed) },
        { name: 'Data (SHA-256)', value: shownText(report.dataset_hash), isHash: true }
      ])
    }
</details>`
  }
}

const splitKinds: Record<ReportSplit['kind'], string> = {
  stratified: 'by chance, with each class in its usual share',
  random: 'by chance',
  time_ordered: 'by time: the test rows are the latest'
}

function splitText ({ kind, train_ratio: ratio, folds, repeats }: ReportSplit, test: number): string {
  const aside = test === 0
    ? ''
    : `${percentText(ratio)} of the labelled rows were for training and ${countOf(test, 'row')} for the test, divided ${
      splitKinds[kind]
    }. `
  if (folds === 1) return `${aside}Members were measured on one part of the training rows that was held back from them.`
  return `${aside}Each of ${countText(folds)} parts of the training rows was held back in turn${
    repeats > 1 ? `, ${countText(repeats)} times over` : ''
  }.`
}
