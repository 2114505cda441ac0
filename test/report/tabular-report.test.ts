import t from 'tap'
import { renderTabularReport } from '../../src/report/render-tabular-report.ts'
import { style } from '../../src/report/style.ts'
import type { TabularReport } from '../../src/report/tabular-report.ts'
import { textOf } from '../support/markup.ts'
import { seededRandom } from '../support/random.ts'
import { checkDrawings, checkHostile, checkLoadsNothing, checkReadable, checkTables } from '../support/report-page.ts'
import { classificationReport, multiclassReport, regressionReport } from '../support/tabular-report.ts'

const samples: Array<[string, TabularReport]> = [
  ['two classes', classificationReport()],
  ['eight classes', multiclassReport(8)],
  ['a thousand classes', multiclassReport(1000)],
  ['a number', regressionReport()],
  ['quantiles', regressionReport({ problem_type: 'quantile', loss_name: 'pinball' })],
  ['cross-validation', classificationReport({
    evaluated_on: 'cross_validation',
    evaluated_rows: 990,
    inference_mode: 'train_predict',
    calibration: null
  })],
  ['next to nothing', classificationReport({
    classes: [],
    columns: [],
    leaderboard: [],
    metrics: [],
    calibration: null,
    confusion: null,
    importance: [],
    worst_rows: [],
    warnings: [],
    timings: {}
  })]
]

t.test('the page loads nothing, runs nothing and sends nothing', async (t) => {
  for (const [name, report] of samples) checkLoadsNothing(t, renderTabularReport(report), name)
})

t.test('the page can be read without seeing it', async (t) => {
  for (const [name, report] of samples) checkReadable(t, renderTabularReport(report), name)
})

t.test('each row of a table has a cell for each heading', async (t) => {
  for (const [name, report] of samples) checkTables(t, renderTabularReport(report), name)
})

/** The report with every text that can come from a file, or from what is derived from one, replaced. */
function withTexts (report: TabularReport, text: string): TabularReport {
  return {
    ...report,
    label: text,
    model_name: text.slice(0, 100),
    dataset_hash: text.slice(0, 100),
    engine_version: text.slice(0, 100),
    classes: report.classes?.map((one) => ({ ...one, label: text })) ?? null,
    columns: report.columns.map((column) => ({ ...column, name: text, role: text, notes: [text, text] })),
    leaderboard: report.leaderboard.map((member) => ({ ...member, member: text })),
    metrics: report.metrics.map((metric) => ({ ...metric, name: text })),
    calibration: report.calibration === null ? null : { ...report.calibration, method: text },
    confusion: report.confusion === null
      ? null
      : { ...report.confusion, labels: report.confusion.labels.map(() => text) },
    importance: report.importance.map(({ share }) => ({ feature: text, share })),
    worst_rows: report.worst_rows.map((row) => ({
      ...row,
      actual: text,
      prediction: text,
      cells: row.cells.map(() => ({ column: text, value: text }))
    })),
    warnings: report.warnings.map(({ count }) => ({ code: text, message: text, count })),
    timings: Object.fromEntries([[text, 1]])
  }
}

t.test('no text of a customer changes what the page is made of', async (t) => {
  for (const [name, report] of samples) checkHostile(t, (text) => renderTabularReport(withTexts(report, text)), name)
})

t.test('a text is shown as it is, as far as it can be', async (t) => {
  const text = textOf(
    renderTabularReport(
      classificationReport({
        label: 'Größe <b>&amp;</b> "x"',
        classes: [{ label: '', rows: 734 }, { label: 'a\u202Eb\u0000', rows: 266 }]
      })
    )
  )
  t.match(text, 'Größe <b>&amp;</b> "x"')
  t.match(text, '(empty)')
  t.match(text, 'a\u{FFFD}b\u{FFFD}')
})

t.test('of a regression the words speak of errors and of no class', async (t) => {
  const text = textOf(
    renderTabularReport(
      regressionReport({
        evaluated_rows: 200,
        metrics: [{ name: 'rmse', value: 50_000, low: 45_000, high: 55_000, baseline: 108_700, linear: 60_000 }]
      })
    )
  )
  t.match(text,
    /clearly better than always saying the same value \(error of 108,700\).*a linear model \(error of 60,000\)/s)
  t.notMatch(text, /most frequent class/)
})

t.test('the words say how the model stands against the simple ones', async (t) => {
  const words = (value: number, baseline: number, linear: number | null, name = 'accuracy', rows = 200) =>
    textOf(renderTabularReport(classificationReport({
      evaluated_rows: rows,
      metrics: [{ name, value, low: value - 0.05, high: value + 0.05, baseline, linear }]
    })))
  t.match(words(0.9, 0.6, 0.7),
    /clearly better than always saying the most frequent class \(60\.0\s%\).*clearly better than a linear model \(70\.0\s%\)/s)
  t.notMatch(words(0.9, 0.6, 0.7), /Do not use|linear model did better/)
  t.match(words(0.62, 0.6, 0.7), /not clearly better than always saying.*worse than a linear model/s)
  t.match(words(0.62, 0.6, 0.7), /not clearly better than a guess.*A linear model did better/s)
  t.match(words(0.3, 0.6, null), /worse than a guess that ignores all columns \(Accuracy\)\. Do not use/)
  t.match(words(0.3, 0.6, 0.7, 'log_loss'), /clearly better than always saying/, 'of a loss the smaller is better')
  t.match(words(0.9, 0.6, 0.7, 'accuracy', 19),
    /not clearly better than always saying.*not clearly better than a linear model.*19 rows are too few to call any model better/s)
  t.match(words(0.9, 0.6, 0.7, 'accuracy', 20), /clearly better than always saying/)
  t.notMatch(words(0.9, 0.6, 0.7, 'accuracy', 20), /not clearly|too few/)
  t.match(words(0.3, 0.6, 0.7, 'something_new'), /Something new/)
  t.notMatch(words(0.3, 0.6, 0.7, 'something_new'), /better than|worse than/, 'no judgement of what is not known')
})

t.test('the page says what to be careful about', async (t) => {
  const text = (report: TabularReport) => textOf(renderTabularReport(report))
  t.match(text(classificationReport({ evaluated_rows: 30 })), /rest on 30 rows/)
  t.match(text(classificationReport({ classes: [{ label: 'no', rows: 980 }, { label: 'fraud', rows: 20 }] })),
    /class is rare.*“fraud” \(20 rows\)/s)
  t.notMatch(text(multiclassReport(30)), /seen seldom/, 'many classes are small without being rare')
  t.match(text(classificationReport()), /closed_on.*lacks more than 30 % of the values: “tenure/s)
  t.match(
    text(
      classificationReport({
        metrics: [{ name: 'calibration_error', value: 0.12, low: null, high: null, baseline: null, linear: null }]
      })
    ),
    /off by 12\.0\s% on average/
  )
  const residuals = { points: [{ predicted: 1, actual: 2 }], coverage_80: 0.6, width_80: 3 }
  t.match(text(regressionReport({ residuals })), /too narrow: they held 60\.0\s%/)
  t.match(text(regressionReport({ residuals: { ...residuals, coverage_80: 0.95 } })), /too wide: they held 95\.0\s%/)
  t.match(
    text(regressionReport({ explanation: { exact_share: 0.2, surrogate_fidelity: 0.6, max_additivity_error: 0 } })),
    /rough picture.*60\.0\s%/s
  )
  const explained = (exact: number, fidelity: number | null) =>
    text(
      regressionReport({
        explanation: { exact_share: exact, surrogate_fidelity: fidelity, max_additivity_error: 1e-12 }
      })
    )
  t.match(explained(1, null), /exact Shapley values of 100\s% of the model\. They add up/)
  t.match(explained(0.4, null),
    /exact Shapley values of 40\.0\s% of the model; the rest is not explained\. They add up/)
  t.match(explained(0.4, 0.95), /exact Shapley values of 40\.0\s% of the model; for the rest.*95\.0\s%/s)
  t.match(explained(0, 0.95), /not the model's own.*95\.0\s%/s)
  t.match(explained(0, 0.3), /columns is uncertain: .* follows only 30\.0\s% of its variation/)
  t.match(explained(0, -3.441), /follows only 0\s% of its variation/,
    'a fidelity below 0 says that nothing is followed')
  const unexplained = text(
    regressionReport({
      importance: [],
      explanation: { exact_share: 0, surrogate_fidelity: null, max_additivity_error: 0 }
    })
  )
  t.match(unexplained, /How much each column matters is not known/)
  t.notMatch(unexplained, /Shapley|does not say what causes/)
  const warned = (code: string, count: number) =>
    text(regressionReport({ warnings: [{ code, message: 'A message', count }] }))
  t.notMatch(warned('members_left_out', 2), /2 times|A message \(/, 'the message names them all')
  t.match(warned('unlabeled_rows', 1500), /A message \(1,500 rows\)/)
  t.match(warned('dropped_columns', 7), /A message \(7 columns\)/)
  t.match(text(regressionReport()), /does not say what causes/)
  t.match(text(regressionReport()), /7\.31\s%.*209999.*150,000/s,
    'per cent, and numbers that are not as long as a double')
  t.match(
    text(
      classificationReport({ evaluated_on: 'cross_validation', evaluated_rows: 990, inference_mode: 'train_predict' })
    ),
    /cross-validated: each of 990 rows was predicted by models that had not seen it \(8 parts\)/
  )
  t.match(
    text(regressionReport({ split: { kind: 'time_ordered', train_ratio: 0.8, folds: 5, repeats: 1, seed: '1' } })),
    /the latest ones.*later rows than it learned from/s
  )
})

t.test('whatever the numbers are, every mark lies inside its drawing and every figure is one', async (t) => {
  const random = seededRandom(t)
  const odd = [0, -0, 1, -1, 1e-310, 5e-324, 1e-12, 1e300, -1e300, 1.7e308, -1.7e308, 123456.789, 1e15, 0.3, 1000.1,
    1000.2]
  const number = () =>
    random() < 0.5
      ? odd[Math.floor(random() * odd.length)] as number
      : (random() - 0.5) * 10 ** Math.floor(random() * 20 - 8)
  const share = () => random() < 0.2 ? Math.round(random()) : random()
  const count = () => random() < 0.3 ? 0 : Math.floor(random() * 1e6)
  for (let round = 0; round < 60; round++) {
    const points = Array.from({ length: Math.floor(random() * 6) }, () => ({ predicted: number(), actual: number() }))
    const maybe = () => random() < 0.3 ? null : number()
    const metrics = regressionReport().metrics.map((metric) => ({
      ...metric,
      value: maybe(),
      low: maybe(),
      high: maybe(),
      baseline: maybe(),
      linear: maybe()
    }))
    checkDrawings(t, renderTabularReport(
      regressionReport({
        metrics,
        residuals: { points, coverage_80: share(), width_80: Math.abs(number()) },
        importance: [{ feature: 'a', share: share() }, { feature: 'b', share: 0 }]
      })
    ))
    const size = 1 + Math.floor(random() * 20)
    const labels = Array.from({ length: size }, (_, index) => `c${index}`)
    checkDrawings(t, renderTabularReport(classificationReport({
      confusion: { labels, counts: labels.map(() => labels.map(count)) },
      calibration: {
        method: null,
        before: share(),
        after: share(),
        curve: Array.from({ length: Math.floor(random() * 15) },
          () => ({ predicted: share(), observed: share(), rows: count() }))
      }
    })))
  }
})

t.test('colours have the contrast of WCAG 2.2 AA in both schemes', async (t) => {
  const schemes = [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, body = '']) =>
    Object.fromEntries([...body.matchAll(/--([a-z]+): (#[0-9a-f]{6})/g)].map(([, key, value]) => [key, value]))
  )
  t.equal(schemes.length, 2)
  for (const scheme of schemes) {
    for (const text of ['text', 'soft', 'accent']) {
      t.ok(contrast(scheme[text], scheme['page']) >= 4.5, `${text} on the page`)
    }
    t.ok(contrast(scheme['text'], scheme['panel']) >= 4.5, 'text on a panel')
    for (const mark of ['accent', 'wrong', 'soft']) {
      t.ok(contrast(scheme[mark], scheme['page']) >= 3, `${mark} as a mark`)
    }
  }
})

/** Contrast ratio of WCAG 2.2, from relative luminance. */
function contrast (one = '', other = ''): number {
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16) / 255).map((
      value
    ) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

t.test('equal reports give equal bytes, and a large one stays a page', async (t) => {
  t.equal(renderTabularReport(regressionReport()), renderTabularReport(regressionReport()))
  const wide = regressionReport({
    columns: Array.from({ length: 500 }, (_, index) => ({
      name: `column ${index}`,
      role: 'number',
      distinct: 100,
      missing: 1,
      notes: ['Every cell is a number.']
    }))
  })
  t.ok(renderTabularReport(wide).length < 500_000)
})
