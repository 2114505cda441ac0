import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ExplainabilitySpec } from '../../src/domain/explainability-spec.ts'
import { analysisNames, type AnalysesDocument, type AnalysisName } from '../../src/report/analyses/analyses-document.ts'
import { seriesAnalyses } from '../../src/report/analyses/analysis-words.ts'
import { artifactFiles } from '../../src/report/analyses/artifact-files.ts'
import { analyseForecast } from '../../src/worker/analyse-forecast.ts'
import { explainForecast, type ExplanationFacts } from '../../src/worker/explain-forecast.ts'
import { publishAnalyses, readAnalyses } from '../../src/worker/publish-analyses.ts'
import { analysesDocument, tableDocument } from '../support/analyses-document.ts'
import { findingsOf, inputOf, monthlySales } from '../support/findings.ts'
import { samplePlot } from '../support/forecast-plot.ts'

/* What the worker makes of the files that the engine leaves. */

const spec: ExplainabilitySpec = {
  analyses: [...analysisNames],
  trailingHistorySteps: null,
  maxRows: 5000,
  maxFeatures: 25,
  topKFeatures: 15,
  shapSampleSize: 512
}
const tables = artifactFiles.filter(({ format }) => format === 'csv').map(({ name }) => name)

async function analyse (t: Test, document: unknown,
  { plot = samplePlot() as unknown, explanationKeys = undefined as unknown } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tabcast-analyses-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  if (document !== undefined) {
    await writeFile(join(folder, 'analyses.json'), typeof document === 'string' ? document : JSON.stringify(document))
  }
  if (plot !== undefined) {
    await writeFile(join(folder, 'plot.json'), typeof plot === 'string' ? plot : JSON.stringify(plot))
  }
  for (const name of tables) await writeFile(join(folder, name), `of ${name}\n`)
  const asked = { folder, spec, of: { target: 'sales', freq: 'D' } }
  return { folder, ...await analyseForecast(await readAnalyses(asked), explanationKeys) }
}

t.test("the files of all analyses are made and described, those of the engine's own use are not", async (t) => {
  const { folder, outcome, files } = await analyse(t, analysesDocument(), { explanationKeys: { headline: [] } })
  t.strictSame(files.map(({ name }) => name), [...artifactFiles.map(({ name }) => `explainability/${name}`),
    'explainability/summary.json'])
  for (const { name, contentType, bytes } of files) {
    const format = name.split('.').at(-1) ?? ''
    t.match([format, contentType], [format,
      { csv: /^text\/csv/, html: /^text\/html/, svg: /^image\/svg\+xml/, json: /^application\/json/ }[format]], name)
    t.equal((await readFile(join(folder, name.replace('explainability/', '')))).length, bytes, name)
  }
  t.strictSame([outcome.completed, outcome.skipped, outcome.artifacts.length], [[...analysisNames], {},
    artifactFiles.length])
  t.match(JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8')), {
    explanation_keys: { headline: [] },
    completed: analysisNames
  })
  t.match(await readFile(join(folder, 'forecast_plot.html'), 'utf8'), /^<!doctype html>/)
  t.match(await readFile(join(folder, 'forecast_plot.svg'), 'utf8'), /^<svg /)
})

t.test('an analysis that cannot be shown is skipped, and the others are shown', async (t) => {
  const whole = analysesDocument()
  const odd = { points: [{ feature: 'promo', values: [1, 2], positions: [0.5] }] }
  const broken: Array<[name: string, document: unknown, plot?: unknown]> = [
    ['forecast_plot', whole, '{'],
    ['forecast_plot', whole, { ...samplePlot(), axis: [] }],
    ['shap', { ...whole, shap: { ...whole.shap, ...odd } }],
    ['feature_importance', { ...whole, importance: null }],
    ['feature_target_correlations', { ...whole, feature_target: { rows: 7 } }],
    ['feature_feature_correlations', { ...whole, feature_feature: { ...whole.feature_feature, order: [0] } }],
    ['rolling_regression', { ...whole, rolling: { ...whole.rolling, features: [] } }]
  ]
  for (const [name, document, plot] of broken) {
    const { outcome, files } = await analyse(t, document, plot === undefined ? {} : { plot })
    const rest = analysisNames.filter((one) => one !== name)
    t.strictSame([outcome.completed, outcome.skipped], [rest, { [name]: 'failed' }], name)
    t.match(outcome.warnings.at(-1), /this analysis failed and is left out \(.{4,}\)\./)
    t.strictSame(files.map((file) => file.name.replace('explainability/', '')), [
      ...artifactFiles.filter(({ analysis }) => analysis !== name).map((file) => file.name),
      'summary.json'
    ])
    t.strictSame(outcome.artifacts.filter((one) => one.isPrimaryVisual).map((one) => one.name), [
      name === 'forecast_plot' ? 'feature_importance.html' : 'forecast_plot.html'
    ])
  }
})

t.test('two that fail, and one that was skipped before, keep their reasons', async (t) => {
  const whole = analysesDocument()
  const document: AnalysesDocument = {
    ...whole,
    completed: whole.completed.filter((name) => name !== 'rolling_regression'),
    skipped: { rolling_regression: 'disabled_by_operator' },
    rolling: null,
    importance: null,
    feature_target: null
  }
  const { outcome } = await analyse(t, document)
  t.strictSame(outcome.skipped, {
    feature_importance: 'failed',
    feature_target_correlations: 'failed',
    rolling_regression: 'disabled_by_operator'
  })
  t.strictSame(outcome.completed, ['forecast_plot', 'shap', 'feature_feature_correlations'])
})

t.test('when nothing can be shown the record says so, and nothing is thrown', async (t) => {
  const all = Object.fromEntries(analysisNames.map((name) => [name, 'failed']))
  const none: Array<[what: string, document: unknown]> = [['no file', undefined], ['no JSON', '{"version": 1,'], [
    'another version',
    { ...analysesDocument(), version: 2 }
  ], ['another shape', []], ['null', 'null'], ['numbers', { completed: 7 }]]
  for (const [what, document] of none) {
    const { outcome, files } = await analyse(t, document)
    t.strictSame([outcome.completed, outcome.skipped, outcome.artifacts], [[], all, []], what)
    t.equal(outcome.warnings.length >= analysisNames.length, true, what)
    t.ok(files.every(({ name }) => name === 'explainability/summary.json'), what)
  }
  const { folder, outcome } = await analyse(t, undefined)
  t.match(JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8')), {
    target: 'sales',
    freq: 'D',
    completed: [],
    skipped: all
  })
  t.match(outcome.overviewMarkdown, /No analysis was completed/)
})

t.test('a folder that takes no file is the end of the analyses and not of the job', async (t) => {
  const { folder } = await analyse(t, analysesDocument())
  await rm(folder, { recursive: true })
  const { outcome, files } = await analyseForecast({
    folder,
    spec,
    of: { target: 'sales', freq: 'D' },
    document: analysesDocument()
  }, undefined)
  t.strictSame([outcome.completed, Object.values(outcome.skipped), outcome.artifacts, files], [[],
    Array(analysisNames.length).fill('failed'), [], []])
})

t.test('the analyses of a table have no plot, and where nothing can be read what does not apply has not failed', async (t) => {
  const folder = t.testdir(Object.fromEntries(tables.map((name) => [name, `of ${name}\n`])))
  const asked = { folder, spec, of: { subject: 'table', target: 'churned' } as const }
  await writeFile(join(folder, 'analyses.json'), JSON.stringify(tableDocument()))
  const { outcome, files } = await publishAnalyses(await readAnalyses(asked))
  t.strictSame(outcome.completed, analysisNames.filter((name) => !seriesAnalyses.includes(name)))
  t.strictSame(outcome.skipped, { forecast_plot: 'not_applicable', rolling_regression: 'not_applicable' })
  t.strictSame(outcome.warnings, [])
  t.strictSame(outcome.artifacts.filter((one) => one.isPrimaryVisual || one.isThumbnail).map(({ name }) => name), [
    'feature_importance.html',
    'feature_importance.svg'
  ])
  t.equal(files.length, outcome.artifacts.length + 1)
  await rm(join(folder, 'analyses.json'))
  const lost = (await publishAnalyses(await readAnalyses(asked))).outcome
  t.strictSame([
    ...new Set(
      Object.entries(lost.skipped).filter(([name]) => !seriesAnalyses.includes(name as AnalysisName)).map((
        [, reason]
      ) => reason)
    )
  ], ['failed'])
  for (const name of seriesAnalyses) t.equal(lost.skipped[name], 'not_applicable', name)
})

t.test('the explanation is read from what the engine found, and its absence is a warning', async (t) => {
  const folder = t.testdir({ 'findings.json': '', 'empty.json': '{}' })
  const path = join(folder, 'findings.json')
  const { frequency: freq, ...input } = inputOf(findingsOf(monthlySales()))
  await writeFile(path, JSON.stringify({ ...input, freq, total_series: 1 }))
  const { explanation, keys, warning } = await explainForecast(path)
  t.equal(warning, undefined)
  t.match(explanation, {
    headline: /sales/,
    narrative: /./,
    dataFindings: [/./],
    forecastSummary: [/./],
    generatedBy: 'rules'
  })
  t.strictSame(Object.keys(explanation ?? {}).sort(), ['caveats', 'confidence', 'dataFindings', 'forecastSummary',
    'generatedBy', 'headline', 'narrative', 'operationalImplications'])
  t.equal(keys?.headline.length, 1)
  const analysed = analysesDocument()
  const drivers = 'The forecast goes most with'
  const wordsOf = async (facts: ExplanationFacts) => JSON.stringify((await explainForecast(path, facts)).explanation)
  t.match(await wordsOf({ analyses: analysed }), drivers, 'what a surrogate of the forecast rests on')
  const low = {
    ...analysed,
    importance: analysed.importance &&
      {
        ...analysed.importance,
        fidelity: analysed.importance.fidelity && { ...analysed.importance.fidelity, label: 'low' as const }
      }
  }
  for (const analyses of [low, { ...analysed, importance: null }, [], null, { importance: { groups: 7 } }]) {
    t.notMatch(await wordsOf({ analyses: analyses as AnalysesDocument }), drivers,
      'nothing to be quoted, and the rest is said')
  }
  for (const name of ['none.json', 'empty.json']) {
    t.match(await explainForecast(join(folder, name)), { warning: { code: 'explanation_failed', count: 1 } }, name)
  }
})
