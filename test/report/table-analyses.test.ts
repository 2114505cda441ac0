import t from 'tap'
import { renderAnalyses } from '../../src/report/analyses/render-analyses.ts'
import { enginesFiles, tableDocument } from '../support/analyses-document.ts'
import { textOf } from '../support/markup.ts'
import { checkDrawings, checkLoadsNothing, checkReadable, checkTables } from '../support/report-page.ts'

/* Pages and records of the analyses of a table: nothing in them speaks of a forecast, a series or a time. */

const classes = renderAnalyses({ document: tableDocument(), files: enginesFiles })
const { class: _class, ...numbers } = tableDocument({ target: 'price' })
const values = renderAnalyses({ document: numbers, files: enginesFiles })
const plain = (text: string) => textOf(text).replaceAll('\u{A0}', ' ').replaceAll(/\s+/g, ' ')

t.test('each page can be read without seeing it, and speaks of predictions', async (t) => {
  for (const { files } of [classes, values]) {
    const pages = Object.entries(files).filter(([name]) => name.endsWith('.html'))
    t.strictSame(pages.map(([name]) => name), ['feature_importance.html', 'shap_summary.html',
      'feature_target_correlations.html', 'feature_feature_correlations.html'])
    for (const [name, page] of pages) {
      checkLoadsNothing(t, page, name)
      checkReadable(t, page, name)
      checkTables(t, page, name)
      checkDrawings(t, page)
      t.match(plain(page), /Prediction of/, name)
      t.notMatch(plain(page), /forecast|series|origin|runs? ahead|\blag\b|Step \d/i, name)
    }
  }
})

t.test('of a classification it is said whose probability is explained, of a regression the units are those of the ' +
  'label', async (t) => {
  const page = plain(classes.files['shap_summary.html'] ?? '')
  t.match(page, /of the variance of the probability of “yes” on held-out rows/)
  t.match(page, /in units of probability/)
  t.match(page, /A highest prediction: row 0/)
  t.match(page, /Kraków/, 'a level by its name')
  t.match(page, /low [+−]/)
  t.notMatch(page, /low n\/a|; of “promo”/, 'levels have no low and no high ones')
  t.match(plain(values.files['shap_summary.html'] ?? ''),
    /in units of “price”.*of the variance of the prediction on held-out rows/)
})

t.test('years are told as years, and features without a contribution not at all', async (t) => {
  const told = (value: number, others: number) => {
    const document = tableDocument()
    for (const row of document.shap?.detailed ?? []) {
      row.others = others
      for (const one of row.contributions) one.value = value
    }
    return plain(renderAnalyses({ document, files: enginesFiles }).files['shap_summary.html'] ?? '')
  }
  t.match(told(1987, 0.5), '= 1987')
  t.match(told(1987, 0.5), 'All other features')
  t.match(told(12_345, 0), '12,3')
  t.notMatch(told(1987, 0), /1,987|All other features 0/)
})

t.test('the record names a table, and what does not apply is no news', async (t) => {
  const { outcome, files } = classes
  t.strictSame(outcome.skipped, { forecast_plot: 'not_applicable', rolling_regression: 'not_applicable' })
  t.match(outcome.overviewMarkdown, /Analyses of the prediction of churned/)
  t.notMatch(JSON.stringify([outcome.overviewMarkdown, outcome.artifacts]), /forecast|series|skipped/i)
  t.match(JSON.parse(files['summary.json'] ?? '') as object, {
    subject: 'table',
    target: 'churned',
    class: 'yes',
    skipped: { forecast_plot: 'not_applicable' }
  })
  t.notOk('freq' in (JSON.parse(files['summary.json'] ?? '') as object))
  t.strictSame(outcome.artifacts.filter((one) => one.isPrimaryVisual).map(({ name }) => name), [
    'feature_importance.html'
  ])
  t.match(outcome.artifacts.find(({ name }) => name === 'shap_values.csv')?.previewMarkdown,
    /^\| Row \| Base \| Surrogate \| Prediction \|/)
})
