import t from 'tap'
import type { ExplainabilityOutcome } from '../../src/domain/explainability-spec.ts'
import { analysisNames, type AnalysesDocument } from '../../src/report/analyses/analyses-document.ts'
import { figureText, signedText } from '../../src/report/analyses/figure-text.ts'
import { markdownText } from '../../src/report/analyses/markdown.ts'
import { renderAnalyses, type AnalysesInput } from '../../src/report/analyses/render-analyses.ts'
import { deniedNames, hasDeniedName } from '../../src/report/explanation/neutral-text.ts'
import { percentText } from '../../src/report/number-text.ts'
import { analysesDocument, enginesFiles, featureNames } from '../support/analyses-document.ts'

const render = (changes: Partial<AnalysesInput> = {}) =>
  renderAnalyses({ document: analysesDocument(), files: enginesFiles, ...changes })
/** The outcome is what the record of a job takes. */
const outcomeOf = (changes?: Partial<AnalysesInput>): ExplainabilityOutcome => render(changes).outcome
const nothing = { importance: null, shap: null, feature_target: null, feature_feature: null, rolling: null }
const only = (completed: AnalysesDocument['completed'], changes: Partial<AnalysesDocument> = {}) =>
  analysesDocument({ completed, ...changes })

t.test('files of all analyses, in their order', async (t) => {
  const { outcome, files } = render()
  t.strictSame(outcome.artifacts.map(({ name }) => name), [
    'forecast_plot.html',
    'forecast_plot.svg',
    'forecast_plot.csv',
    'feature_importance.html',
    'feature_importance.svg',
    'feature_importance.csv',
    'shap_summary.html',
    'shap_summary.svg',
    'shap_summary.csv',
    'shap_values.csv',
    'feature_target_correlations.html',
    'feature_target_correlations.svg',
    'feature_target_correlations.csv',
    'feature_feature_correlations.html',
    'feature_feature_correlations.svg',
    'feature_feature_correlations.csv',
    'rolling_regression.html',
    'rolling_regression.svg',
    'rolling_regression.csv'
  ])
  t.strictSame(outcome.completed, analysisNames)
  const made = outcome.artifacts.filter(({ name }) => files[name] !== undefined).map(({ name }) => name)
  t.strictSame([...made, 'summary.json'].sort(), Object.keys(files).sort(), 'each file is listed but for the summary')
  for (const { name, format, label, description, highlights } of outcome.artifacts) {
    t.ok(
      name.endsWith(`.${format}`) && label !== '' && description !== '' && highlights.length >= 1 &&
        highlights.length <= 3,
      name
    )
  }
  t.equal(new Set(outcome.artifacts.map(({ label }) => label)).size, outcome.artifacts.length, 'labels tell them apart')
  t.strictSame(
    outcome.artifacts.filter(({ renderInline }) => renderInline).map(({ name }) => name).filter((name) =>
      !/html|svg/.test(name) || name === 'forecast_plot.html'
    ),
    []
  )
  t.ok(outcomeOf({ files: { ...enginesFiles, 'forecast_plot.html': 299_999 } }).artifacts[0]?.renderInline)
})

t.test('one file is shown first and one is the thumbnail', async (t) => {
  const chosen = (document: AnalysesDocument, files = enginesFiles) => {
    const { artifacts } = outcomeOf({ document, files })
    return [artifacts.filter((one) => one.isPrimaryVisual).map(({ name }) => name),
      artifacts.filter((one) => one.isThumbnail).map(({ name }) => name)]
  }
  t.strictSame(chosen(analysesDocument()), [['forecast_plot.html'], ['forecast_plot.svg']])
  t.strictSame(chosen(only(['rolling_regression', 'feature_importance'])), [['feature_importance.html'], [
    'feature_importance.svg'
  ]])
  t.strictSame(chosen(only(['rolling_regression'])), [['rolling_regression.html'], ['rolling_regression.svg']])
  t.strictSame(chosen(analysesDocument(), { 'forecast_plot.csv': 1 }), [['feature_importance.html'], [
    'feature_importance.svg'
  ]], 'a plot without a page')
  t.strictSame(chosen(only(['forecast_plot'], nothing), { 'forecast_plot.csv': 1 }), [[], []])
})

t.test('what was skipped has no file and a reason', async (t) => {
  const skipped = {
    forecast_plot: 'timeout',
    feature_importance: 'no_features',
    shap: 'low_fidelity',
    rolling_regression: 'disabled_by_operator'
  } as const
  const { outcome, files } = render({ document: only([], { ...nothing, skipped, warnings: [] }) })
  t.strictSame([outcome.completed, outcome.skipped, outcome.artifacts, Object.keys(files)], [[], skipped, [], [
    'summary.json'
  ]])
  t.match(outcome.overviewMarkdown,
    /No analysis was completed\.\n\n- Forecast plot was skipped: its time was over\.\n- Feature importance was skipped: there are no features, or too few that vary\./)
  t.match(JSON.parse(files['summary.json'] ?? ''), {
    selected: ['forecast_plot', 'feature_importance', 'shap', 'rolling_regression'],
    completed: [],
    skipped,
    top_features: [],
    rows: null,
    fidelity: null,
    explanation_keys: null
  })
})

t.test('the summary has the figures as they are', async (t) => {
  const document = analysesDocument()
  const keys = [{ rule: 'trend', value: 0.1 }]
  const summary = JSON.parse(render({ topFeatures: 3, explanationKeys: keys }).files['summary.json'] ?? '')
  t.match(summary, {
    version: 1,
    target: 'sales',
    model: { name: 'surrogate', method: 'surrogate_tree_shap' },
    rows: 3200,
    explained_rows: 512,
    base: 80.1234,
    fidelity: document.importance?.fidelity,
    selected: [...analysisNames],
    warnings: document.warnings,
    explanation_keys: keys
  })
  t.strictSame(summary.top_features.map(({ feature, share }: { feature: string, share: number }) => [feature, share]),
    document.importance?.features.slice(0, 3).map(({ feature, share }) => [feature, share]))
})

/** Every figure of a document, as a preview or a sentence may spell it. */
function spelt (value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'number') {
    for (const text of [figureText(value), signedText(value), percentText(value), String(value).replace('-', '−'),
      `${Math.round(value * 100)} %`]) found.add(text.replaceAll('\u{A0}', ' '))
  } else if (typeof value === 'object' && value !== null) { for (const one of Object.values(value)) spelt(one, found) }
  return found
}

t.test('every figure of previews and sentences is one of the document', async (t) => {
  const document = analysesDocument()
  const known = spelt(document)
  const counts = ['45', '3', '25', '8', '1,000', '220']
  const { artifacts } = outcomeOf()
  let figures = 0
  for (const { name, previewMarkdown, highlights } of artifacts) {
    const cells = previewMarkdown.split('\n').slice(2).flatMap((line) => line.slice(2, -2).split(' | '))
    const sentences = highlights.flatMap((sentence) =>
      sentence.replaceAll(/“[^”]*”|\d{4}-\d\d-\d\d/g, '').match(/[+−]?\d[\d.,]*(?:e−?\d+)?(?:[\u{A0} ]%)?/gu) ?? []
    ).map((text) => text.replace(/[.,]$/, ''))
    for (const text of [...cells.filter((cell) => /^[+−]?\d[\d.,]*(?:e−?\d+)?(?:[\u{A0} ]%)?$/u.test(cell)),
      ...sentences]) {
      figures++
      const plain = text.replaceAll('\u{A0}', ' ')
      if (!known.has(plain) && !counts.includes(plain)) t.fail(`${name}: ${text}`)
    }
    t.ok(previewMarkdown === '' ? name.startsWith('forecast_plot') : previewMarkdown.split('\n').length === 7,
      `${name}: five rows`)
  }
  t.ok(figures > 200, `${figures} figures`)
  t.strictSame([document.feature_feature?.pairs.length,
    document.rolling?.series.flatMap(({ features }) => features).filter((one) => one.sign_change).length], [90, 8],
    'counts of the sentences')
})

t.test('the sentences of each analysis', async (t) => {
  const document = analysesDocument()
  const { artifacts } = outcomeOf()
  const of = (name: string) =>
    artifacts.find((one) => one.name === name)?.highlights.map((text) => text.replaceAll('\u{A0}', ' '))
  const surrogate =
    'The analysis explains a surrogate that reproduces 93 % of the variance of the forecast on held-out origins; ' +
    'associations, not causes.'
  const [share = 0, second = 0, third = 0] = document.importance?.features.map((one) => one.share ?? 0) ?? []
  const percent = (value: number) => `${(100 * value).toPrecision(3)} %`
  t.strictSame(of('feature_importance.csv'), [
    `“promo” has the largest share of the importance, ${percent(share)}, followed by “price” (${
      percent(second)
    }) and “lag_7” (${percent(third)}).`,
    `Of the groups of features, “recent level” has the largest share, ${
      percent(document.importance?.groups[0]?.share ?? 0)
    }.`,
    surrogate
  ])
  const highest = document.shap?.detailed.slice(0, 4).reduce((best, row) =>
    (row.prediction ?? 0) > (best.prediction ?? 0) ? row : best
  )
  const row = highest !== undefined && 'item_id' in highest ? highest : undefined
  const price = highest?.contributions.find(({ feature }) => feature === 'price')?.shap ?? 0
  t.strictSame(of('shap_values.csv'), [
    '“promo” has the largest contributions, 31.2 in mean size, in units of “sales”.',
    `Of the forecasts told in detail the highest is ${highest?.prediction?.toPrecision(3)} (“${row?.item_id}”, ${
      row?.timestamp.slice(0, 10)
    }), where the contribution of “price” is +${price.toPrecision(3)}.`,
    surrogate
  ])
  const price2 = analysesDocument({
    feature_target: { rows: document.feature_target?.rows.filter(({ feature }) => feature === 'price') ?? [] }
  })
  const rows = price2.feature_target?.rows.filter(({ method }) => method === 'pearson') ?? []
  const figure = (transform: string) => rows.find((row) => row.transform === transform)?.value?.toPrecision(3)
  t.strictSame(
    outcomeOf({ document: price2 }).artifacts.find(({ name }) => name === 'feature_target_correlations.csv')
      ?.highlights,
    [
      `“price” has the strongest association with “sales”: Pearson ${figure('differences')} in differences, ${
        figure('levels')
      } in levels.`,
      `Its best lag is −1, with ${
        rows.find(({ transform }) => transform === 'differences')?.value_at_best_lag?.toPrecision(3)
      }.`,
      'These are associations, not causes.'
    ]
  )
  t.strictSame(of('feature_feature_correlations.svg'), ['Of 45 pairs 3 are redundant.',
    '“promo” and “price” have the strongest association, Pearson 0.952.', 'These are associations, not causes.'])
  const strong =
    document.rolling?.series[0]?.features[0]?.points.flatMap(({ weak, coefficient }) =>
      weak || coefficient === null ? [] : [coefficient]
    ) ?? []
  t.strictSame(of('rolling_regression.html'), [
    'Of 25 coefficients over time 8 change their sign.',
    `“promo” in “shop 1” has coefficients from ${Math.min(...strong).toPrecision(3).replace('-', '−')} to ${
      Math.max(...strong).toPrecision(3)
    }.`,
    `Of 1,000 windows ${
      document.rolling?.series.flatMap(({ features }) => features.flatMap(({ points }) => points)).filter(({ weak }) =>
        weak
      ).length
    } are weak; these are associations, not causes.`
  ])
  t.strictSame(of('forecast_plot.html'), ['The forecast of “sales” is drawn beside its recent history.'])
})

t.test('sentences do not say that anything causes anything', async (t) => {
  for (const document of [analysesDocument(), analysesDocument({}, ['promo']),
    only(['feature_importance'], { warnings: [] })]) {
    const { artifacts, overviewMarkdown } = outcomeOf({ document })
    for (const text of [
      ...artifacts.flatMap(({ highlights, description, label }) => [...highlights, description, label]),
      overviewMarkdown
    ]) {
      t.notMatch(text.replaceAll('associations, not causes', ''),
        /\b(caus|driv|lead to|leads|because|due to|affect|effect|impact|influenc|rais|increas|reduc|boost|result)/i)
    }
  }
})

t.test('names of vendors and model libraries stand nowhere in our words; columns of a customer keep theirs', async (t) => {
  const clean = render()
  for (const text of [...Object.values(clean.files), JSON.stringify(clean.outcome)]) t.notOk(hasDeniedName(text))
  const columns = deniedNames.slice(0, 12)
  const named = outcomeOf({
    document: analysesDocument({
      target: 'xgboost',
      warnings: ['The model Chronos-2 was slow.',
        "The column 'h2o' isn't a number of 'XGBClassifier' or XGBClassifier."]
    }, columns)
  })
  t.strictSame(named.warnings, ['The model model was slow.',
    "The column 'h2o' isn't a number of 'XGBClassifier' or model."])
  t.match(named.artifacts.find(({ name }) => name === 'feature_importance.csv')?.highlights[0],
    `“${columns[0]}” has the largest share`)
  t.match(named.artifacts.find(({ name }) => name === 'feature_importance.csv')?.previewMarkdown, `| ${columns[0]} |`)
})

const hostile = ['a|b', '`code`', '[link](http://evil.example)', '<img src=x onerror=alert(1)>', '**bold** _it_',
  'two\nlines\r\nthree', '# heading', '1. list', '- list', '![i](u)', 'a\\|b', 'www.evil.example', '~~s~~', '&lt;b&gt;',
  '\u202Eevil\u0000', '$x$', '']

t.test('no name changes what the Markdown is made of', async (t) => {
  t.strictSame(hostile.map((name) => markdownText(name)), [
    'a\\|b',
    '\\`code\\`',
    '\\[link\\]\\(http:\u2060//evil.example\\)',
    '&lt;img src=x onerror=alert\\(1\\)&gt;',
    '\\*\\*bold\\*\\* \\_it\\_',
    'two lines three',
    '\\# heading',
    '1\\. list',
    '\\- list',
    '\\!\\[i\\]\\(u\\)',
    'a\\\\\\|b',
    'www\u2060.evil.example',
    '\\~\\~s\\~\\~',
    '&amp;lt;b&amp;gt;',
    '\uFFFDevil\uFFFD',
    '\\$x\\$',
    '\\(empty\\)'
  ])
  for (const name of hostile) {
    const document = analysesDocument({ target: name, warnings: [name] }, featureNames.map(() => name))
    for (const row of document.shap?.detailed ?? []) if ('item_id' in row) row.item_id = row.timestamp = name
    const { artifacts, overviewMarkdown } = outcomeOf({ document })
    for (const { previewMarkdown } of artifacts) {
      const widths = previewMarkdown.split('\n').map((line) => line.replaceAll(/\\[\\|]/g, '').split('|').length)
      if (new Set(widths).size > 1) t.fail(`${name}: ${previewMarkdown}`)
      if (/<|(?<!\\)[`[]/.test(previewMarkdown.replaceAll('\\\\', ''))) t.fail(`${name}: ${previewMarkdown}`)
    }
    t.notMatch(overviewMarkdown.replaceAll('\\\\', ''), /<|(?<!\\)[`[]/)
  }
})

/** What GFM makes a link of: addresses, and mail, in the text of a document whose escapes and entities are resolved. */
const gfmLinks = [/(?:(?:https?|ftp):\/\/|www(?=\.))[-.\w]+[^ \t\r\n]*/giu,
  /(?<=^|\s|\p{P}|\p{S})(?:(?:mailto|xmpp):)?[-.\w+]+@[-\w]+(?:\.[-\w]+)*/giu]
const resolved = (markdown: string) =>
  markdown.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;',
    '&')

t.test('no name becomes a link when escapes are resolved', async (t) => {
  const addresses = ['http://evil.example/x', 'HTTPS://evil.example', 'ftp://evil.example', 'www.evil.example',
    'see WWW.evil.example', 'a@evil.example', 'xmpp:a@b', 'mailto:a.b+c@evil.example', '@everyone',
    '<http://evil.example>', 'http\\://evil.example', 'a\\@evil.example']
  for (const name of addresses) {
    const document = analysesDocument({ target: name, warnings: [name] }, featureNames.map(() => name))
    const { artifacts, overviewMarkdown } = outcomeOf({ document })
    for (const text of [markdownText(name), overviewMarkdown, ...artifacts.map(({ previewMarkdown }) =>
      previewMarkdown
    )]) {
      for (const rule of gfmLinks) t.notMatch(resolved(text), rule, name)
    }
    t.equal(resolved(markdownText(name)).replaceAll('\u2060', ''), name, 'it reads as before')
  }
  t.ok(
    ['http://evil.example/x', 'a@evil.example', 'www.evil.example', 'xmpp:a@b'].every((name) =>
      gfmLinks.some((rule) => name.search(rule) >= 0)
    ),
    'the rules know links'
  )
})

t.test('the overview has at most 1,500 characters, whatever the names are', async (t) => {
  const long = 'W|'.repeat(5000)
  const document = analysesDocument({ target: long, warnings: Array.from({ length: 100 }, () => long) },
    featureNames.map(() => long))
  const { overviewMarkdown, warnings, artifacts } = outcomeOf({ document })
  t.ok(overviewMarkdown.length <= 1500 && overviewMarkdown.length > 1000, `${overviewMarkdown.length} characters`)
  t.ok(warnings.every((warning) => warning.length <= 400))
  t.ok(
    artifacts.every(({ previewMarkdown, highlights }) =>
      previewMarkdown.length < 2000 && highlights.join('').length < 600
    )
  )
})

t.test('a name from right to left does not turn the figures behind it', async (t) => {
  const [first] =
    outcomeOf({ document: analysesDocument({ completed: ['feature_importance'] }, ['مبيعات', 'promo']) }).artifacts[0]
      ?.highlights ?? []
  t.match(first, /^“مبيعات”\u200E has the largest.*“promo” \(/)
})

t.test('figures are spelt with three digits', async (t) => {
  t.strictSame([0.41234, 12, 1234567, -0.000012345, 2.5e15, 0, null, NaN].map(figureText), ['0.412', '12.0',
    '1,230,000', '−1.23e-5', '2.50e15', '0', 'n/a', 'n/a'])
  t.strictSame([0.5, -0.5, 0, null].map(signedText), ['+0.500', '−0.500', '0', 'n/a'])
})

t.test('parts that do not fit together are refused', async (t) => {
  const refused = (change: (document: AnalysesDocument) => void, message: RegExp) => {
    const document = analysesDocument()
    change(document)
    t.throws(() => render({ document }), { message })
  }
  refused((document) => {
    document.version = 2
  }, /analyses of version 2/)
  refused((document) => {
    document.shap = null
  }, /shap is completed, but shap is null/)
  refused((document) => {
    document.shap?.points[0]?.positions.pop()
  }, /512 points of a feature have 511 positions/)
  refused((document) => {
    document.feature_feature?.order.fill(0)
  }, /the order of the features/)
  refused((document) => {
    document.feature_feature?.pairs.push({
      a: 0,
      b: 99,
      method: 'pearson',
      value: 1,
      n: 1,
      p_value: 0,
      redundant: false
    })
  }, /a pair has a feature/)
  refused((document) => {
    document.rolling?.features.pop()
  }, /a regression has a feature/)
})
