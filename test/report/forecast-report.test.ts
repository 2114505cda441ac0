import t from 'tap'
import type { ForecastFacts, ForecastLeaderboard, ForecastReport } from '../../src/report/forecast/forecast-report.ts'
import { stepsText } from '../../src/report/forecast/frequency-text.ts'
import { renderForecastReport } from '../../src/report/forecast/render-forecast-report.ts'
import { externalSources, forecastFacts, forecastReport, hierarchyFacts, seasonal } from '../support/forecast-report.ts'
import { textOf } from '../support/markup.ts'
import { seededRandom } from '../support/random.ts'
import { checkDrawings, checkHostile, checkLoadsNothing, checkReadable, checkTables } from '../support/report-page.ts'

const kinds = ['constant', 'line', 'tiny', 'intermittent', 'unseasonal', 'short_season', 'long_season', 'long_cycle',
  'strong_cycle', 'short']
const untested = forecastReport({
  preset: 'fast',
  classes: [{ class: 'short_season', series: 1, members: ['theta_boxcox', 'ces'] }],
  series: 1,
  covariates: [],
  seeds: []
})
const samples: Array<[string, ForecastReport, ForecastFacts]> = [
  ['balanced', forecastReport(), forecastFacts()],
  ['all kinds of series', forecastReport({
    classes: kinds.map((name) => ({ class: name, series: 10, members: ['ets'], leaderboard: seasonal }))
  }), forecastFacts()],
  ['many kinds that are not known', forecastReport({
    classes: Array.from({ length: 40 },
      (_, index) => ({ class: `kind_${index}`, series: 3, members: ['model_x'], leaderboard: seasonal }))
  }), forecastFacts()],
  ['one series and no test', untested, forecastFacts({ series: 1, warnings: [] })],
  ['a hierarchy and external sources', forecastReport(),
    forecastFacts({ reconciliation: hierarchyFacts, externalSources })],
  ['a fine-tuned model', forecastReport({
    preset: 'fine_tuned',
    classes: [{ class: 'unseasonal', series: 120, members: ['tuned_direct', 'tuned_linear'] }]
  }), forecastFacts({ modelVersion: 'ft_1' })],
  ['an empty leaderboard', forecastReport({
    classes: [{ class: 'short_season', series: 120, members: ['ets'], leaderboard: { windows: 0, scores: [] } }]
  }), forecastFacts()],
  ['next to nothing',
    without(forecastReport({ classes: [], seeds: [], season_lengths: [], season_length: 1, series: 0 })),
    forecastFacts({ warnings: [], timings: {}, quantileLevels: [], configHash: null, modelVersion: null, series: 0 })]
]

function without (
  { covariates: _covariates, features: _features, global: _global, ...rest }: ForecastReport
): ForecastReport {
  return rest
}

t.test('the page loads nothing, runs nothing and sends nothing', async (t) => {
  for (const [name, report, facts] of samples) checkLoadsNothing(t, renderForecastReport(report, facts), name)
})

t.test('the page can be read without seeing it', async (t) => {
  for (const [name, report, facts] of samples) checkReadable(t, renderForecastReport(report, facts), name)
})

t.test('each row of a table has a cell for each heading, each mark lies in its drawing', async (t) => {
  for (const [name, report, facts] of samples) {
    checkTables(t, renderForecastReport(report, facts), name)
    checkDrawings(t, renderForecastReport(report, facts))
  }
})

/** Every text that can come from a file or a store, and every name, replaced. */
function withTexts (report: ForecastReport, facts: ForecastFacts, text: string): string {
  const { reconciliation } = facts
  return renderForecastReport({
    ...report,
    ...{ preset: text, freq: text },
    ...report.covariates === undefined
      ? {}
      : { covariates: report.covariates.map(({ used }) => ({ name: text, used })) },
    ...report.features === undefined ? {} : { features: report.features.map(() => text) },
    classes: report.classes.map((one) => ({
      ...one,
      class: text,
      members: [text],
      ...one.leaderboard === undefined
        ? {}
        : {
          leaderboard: {
            ...one.leaderboard,
            scores: one.leaderboard.scores.map((score) =>
              score.model === 'combination' ? score : { ...score, model: text }
            )
          }
        }
    })),
    seeds: report.seeds.map(({ seeds }) => ({ class: text, member: text, seeds }))
  }, {
    ...facts,
    ...{ datasetHash: text, configHash: text, modelVersion: text, engineVersion: text },
    warnings: facts.warnings.map(({ code, count }) => ({ code, message: text, count })),
    timings: Object.fromEntries([[text, 1]]),
    explanation: {
      headline: `of ${text}`,
      dataFindings: [text],
      forecastSummary: [text],
      operationalImplications: [text],
      caveats: [text],
      confidence: 0.5
    },
    ...facts.externalSources === undefined
      ? {}
      : {
        externalSources: facts.externalSources.map((source) => ({
          ...source,
          kind: text,
          reason: text,
          variablesUsed: [text],
          attribution: text
        }))
      },
    ...reconciliation === undefined
      ? {}
      : {
        reconciliation: {
          ...reconciliation,
          method: text,
          weights: text,
          topDownMethod: text,
          levels: [{ name: text, numNodes: 1 }],
          fallback: { from: text, to: text, reason: text },
          warnings: [text]
        }
      }
  })
}

t.test('no text of a customer changes what the page is made of', async (t) => {
  for (const [name, report, facts] of samples.filter(([name]) => /hierarchy|no test/.test(name))) {
    checkHostile(t, (text) => withTexts(report, facts, text), name)
  }
})

const words = (report: ForecastReport, facts: Partial<ForecastFacts> = {}) =>
  textOf(renderForecastReport(report, forecastFacts(facts))).replaceAll('\u{A0}', ' ').replaceAll(/\s+/g, ' ')

t.test('how rows became one is told', async (t) => {
  const combined = { overSeries: true, step: 'D', across: 'sum', aggregate: 'max' } as const
  t.match(words(forecastReport(), { combined }),
    /Rows combined rows with the same time by their sum, then steps of D by their maximum/)
  t.match(words(forecastReport(), { combined: { ...combined, overSeries: false } }),
    /Rows combined steps of D by their maximum/)
  t.notMatch(words(forecastReport(), { combined: { ...combined, overSeries: false, step: null } }), 'Rows combined')
})

t.test('the explanation stands in the report, without the parts that it does not have; without one there is no such ' +
  'section', async (t) => {
  const told = words(forecastReport())
  t.match(told,
    'In words “sales” is forecast to be 5 % above its level a year earlier over 12 months, a likely outcome. The forecast Over ' +
      '12 months “sales” is forecast to average 1,050. The history')
  t.match(told,
    'Keep in mind The 80 % band held 65 % of the outcomes. Confidence 0.765: of 100 series with findings like these, ' +
      'the forecast of about 77 comes closer to what happens than repeating the last season.')
  t.notMatch(told, 'What it suggests')
  const { explanation: _none, ...facts } = forecastFacts()
  t.notMatch(textOf(renderForecastReport(forecastReport(), facts)), 'In words')
})

/** A report of one kind of series with these mean errors. */
function compared (ours: number | null, baseline: number | null,
  [oursBetter, baselineBetter] = [60, 40]): ForecastReport {
  const scores = [{ ...seasonal.scores[0] as ForecastLeaderboard['scores'][number], mase: ours, windows: 100 }]
  const measures = { mase: baseline, smape: 1, wql: 1, coverage_80: 0.8, coverage_95: 0.95 }
  return forecastReport({
    classes: [{
      class: 'short_season',
      series: 5,
      members: ['ets'],
      leaderboard: {
        windows: 100,
        scores,
        baseline: { ...measures, windows: 100, combination_better: oursBetter, baseline_better: baselineBetter }
      }
    }]
  })
}

t.test('the words say how the forecast stands against the last season again', async (t) => {
  const better = words(compared(0.75, 1))
  t.match(better,
    'Better than repeating the last season. On average the errors were 25.0 % smaller (scaled error 0.75 against 1). ' +
      'In 60 of 100 tests this forecast was closer, in 40 the baseline.')
  t.notMatch(better, /The forecast is (worse|not better)/)
  for (const alike of [compared(0.99, 1), compared(1.01, 1), compared(0.5, 1, [40, 60]), compared(0, 0)]) {
    t.match(words(alike),
      /Not better than repeating the last season\..*The forecast is not better than repeating the last season, which costs nothing/)
  }
  t.match(words(compared(1.13, 1)),
    /Worse than repeating the last season\. On average the errors were 13\.0 % larger.*Do not use it without a look/)
  t.match(words(compared(12, 1)), /12 times as large/)
  t.match(words(compared(1, 0)), /Worse than.*errors were larger/)
  t.match(words({ ...compared(1.2, 1), season_lengths: [] }), /Worse than repeating the last value/)
  const short = compared(0.5, 1)
  t.match(words({ ...short, classes: short.classes.map((one) => ({ ...one, class: 'unseasonal' })) }),
    /Better than repeating the last season or value\./)
  const [one] = compared(0.5, 1, [1, 0]).classes as [ForecastReport['classes'][number]]
  const only = { ...one, leaderboard: { ...one.leaderboard!, baseline: { ...one.leaderboard!.baseline!, windows: 1 } } }
  t.match(words(forecastReport({ classes: [only] })), 'In the only test this forecast was closer.')
  for (const nothing of [compared(null, 1), compared(1, null), untested]) {
    t.match(words(nothing), /Accuracy: not known\./)
  }
  t.match(words(forecastReport()),
    /series of the kind “Intermittent” the forecast is worse than repeating the last season: its errors were 7\.14 % larger/)
  const { baseline: _baseline, ...earlier } = seasonal
  t.match(
    words(forecastReport({ classes: [{ class: 'short_season', series: 1, members: ['ets'], leaderboard: earlier }] })),
    /Accuracy: not known\./,
    'a report of an earlier version'
  )
})

t.test('the page says what was forecast, and what to be careful about', async (t) => {
  const text = words(forecastReport())
  t.match(text, 'Forecast of 120 series, 12 months ahead')
  t.match(text,
    '120 series were forecast 12 months ahead with the preset balanced: a mean and 3 quantiles (0.1 to 0.9) for each ' +
      'step.')
  t.match(text, 'For 340 tests of 118 series, the end of a history was held back')
  t.match(text, 'A test has at most 12 months and follows the one before it, so that they lie mostly in the last 36 ' +
    'months. Figures of another report can be compared with these only if it has the same tests')
  t.notMatch(text, 'In the unit of the data')
  t.match(words(forecastReport(), { meanError: { ours: 665.2, baseline: 1045 } }),
    'In the unit of the data, a step of a series was off by 665.2 on average, and the baseline by 1,045')
  t.match(text,
    'Mean weights over all series of kinds that were tested; the longest bar counts most: Theta on transformed ' +
      'values (32.2 %)')
  t.match(text, /price ✓ used weather ✗ skipped/)
  t.match(text, /12 missing steps inside series/)
  t.match(text, /Network of all series, short season: 1, 2, 3/)
  t.match(text, /Network of all series not applied n\/a/)
  t.notMatch(text, /theta_boxcox|pooled_network|croston|mstl/)
  t.match(words(untested, { series: 1, warnings: [] }),
    /1 series was forecast.*preset fast tests nothing.*Nothing was tested, so that nothing is known.*Nothing in the data had to be put right/)
  t.match(words(forecastReport({ preset: 'fine_tuned', classes: [] })),
    /by a fine-tuned model.*tested once, when it is trained/)
  const few = structuredClone(seasonal)
  for (const score of few.scores) score.windows = 3
  t.match(
    words(forecastReport({ classes: [{ class: 'short_season', series: 1, members: ['ets'], leaderboard: few }] })),
    /rest on 3 tests/
  )
  const banded = (coverage: number) =>
    words(
      forecastReport({
        classes: [{
          class: 'short_season',
          series: 9,
          members: ['ets'],
          leaderboard: { ...seasonal, scores: seasonal.scores.map((score) => ({ ...score, coverage_80: coverage })) }
        }]
      })
    )
  t.match(banded(0.6), /intervals are too narrow: they held 60\.0 %/)
  t.match(banded(0.95), /intervals are too wide: they held 95\.0 %/)
  t.match(words(forecastReport({ classes: [{ class: 'tiny', series: 4, members: [] }] })),
    /4 series with two or three values were continued by a rule/)
  t.match(
    words(forecastReport(), {
      warnings: [{ code: 'budget_short', message: '7 series were forecast with the preset fast.', count: 7 }]
    }),
    /careful about.*7 series were forecast with the preset fast\..*How good/
  )
})

t.test('a model that could not be tested keeps its weight, and says so, in the drawing and in the table', async (t) => {
  const scores = [seasonal.scores[0], { ...seasonal.scores[1], weight: 0.6 }, {
    ...seasonal.scores[6],
    weight: 0.4
  }] as ForecastLeaderboard['scores']
  const text = words(
    forecastReport({
      classes: [{
        class: 'short_season',
        series: 9,
        members: ['theta_boxcox', 'pooled_network'],
        leaderboard: { ...seasonal, scores }
      }]
    })
  )
  t.match(text, 'the longest bar counts most: Theta on transformed values (60.0 %)')
  t.match(text, /Network of all series \(not backtested\) 40\.0 %/)
  t.match(text, /Network of all series 40\.0 %, not backtested Small neural networks/)
  t.match(text, /Network of all series 40\.0 %, not backtested n\/a/)
})

t.test('hierarchy, external sources, versions and times', async (t) => {
  const text = words(forecastReport(), { reconciliation: hierarchyFacts, externalSources })
  t.match(text, /Their sums, 120 series in all, were forecast as well/)
  t.match(text, /region 8 shop 111/)
  t.match(text, /Minimum trace was not possible, so that bottom up was used: The weights are too uncertain\./)
  t.match(text, 'Weights By the errors of all series together in the tests, drawn to those of each')
  t.match(text, /Shrinkage 31\.0 %.*Largest gap before 123\.4 .*Largest gap after 0/)
  t.match(text, /Holidays ✓ used 100 % 100 % is_holiday days_to_holiday/)
  t.match(text, /Weather ✗ skipped .*No place was given\./)
  t.match(text, /Data \(SHA-256\) d{64} Configuration \(SHA-256\) c{64} Model version 0\.1\.0\+balanced/)
  t.match(text, /Fit 3\.21 s/)
  t.notMatch(words(forecastReport()), /The hierarchy|Sources beside/)
  t.match(words(forecastReport(), { configHash: null }), /Configuration \(SHA-256\) n\/a/)
})

t.test('steps are named by the frequency', async (t) => {
  const cases: Array<[number, string, string]> = [
    [12, 'MS', '12 months'],
    [1, 'D', '1 day'],
    [4, '15min', '4 steps of 15 minutes'],
    [8, 'W-SUN', '8 weeks'],
    [2, 'QE-DEC', '2 quarters'],
    [24, 'h', '24 hours'],
    [5, 'B', '5 business days'],
    [3, 'odd', '3 steps (odd)'],
    [3, 'constructor', '3 steps (constructor)'],
    [3, '', '3 steps ((empty))']
  ]
  for (const [steps, freq, text] of cases) t.equal(stepsText(steps, freq), text)
})

t.test('whatever the numbers are, every mark lies inside its drawing and every figure is one', async (t) => {
  const random = seededRandom(t)
  const odd = [0, 1, 5e-324, 1e-12, 1e300, 1.7e308, 123456.789, null]
  const number = () =>
    random() < 0.5 ? odd[Math.floor(random() * odd.length)] ?? null : random() * 10 ** Math.floor(random() * 20 - 8)
  const share = () => random() < 0.1 ? null : random() < 0.2 ? Math.round(random()) : random()
  const count = () => random() < 0.3 ? 0 : Math.floor(random() * 1e9)
  const measures = () => ({
    mase: number(),
    smape: number(),
    wql: number(),
    coverage_80: share(),
    coverage_95: share(),
    windows: count()
  })
  for (let round = 0; round < 100; round++) {
    const classes = kinds.slice(0, Math.floor(random() * 10)).map((name) => ({
      class: name,
      series: count(),
      members: ['ets'],
      leaderboard: {
        windows: count(),
        scores: ['combination', 'ets', 'ces'].map((model) => ({
          model,
          weight: model === 'combination' ? null : random() < 0.3 ? 0 : random(),
          ...measures()
        })),
        baseline: { ...measures(), combination_better: count(), baseline_better: count() }
      }
    }))
    checkDrawings(t, renderForecastReport(forecastReport({ classes, series: count() }), forecastFacts()))
  }
})

t.test('equal reports give equal bytes, and a large one stays a page', async (t) => {
  t.equal(renderForecastReport(forecastReport(), forecastFacts()),
    renderForecastReport(forecastReport(), forecastFacts()))
  const features = Array.from({ length: 500 }, (_, index) => `rolling_mean_${index}`)
  t.ok(
    renderForecastReport(
      forecastReport({ features, covariates: features.slice(0, 50).map((name) => ({ name, used: true })) }),
      forecastFacts()
    ).length < 200_000
  )
})
