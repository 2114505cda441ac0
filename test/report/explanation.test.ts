import { readFileSync } from 'node:fs'
import t from 'tap'
import { explain, type Explanation, type ExplanationKeys } from '../../src/report/explanation/explain.ts'
import { figureText, shareText } from '../../src/report/explanation/figures.ts'
import type { ExplanationInput, Extent, Findings, RuleName, SeriesFindings,
  Standing } from '../../src/report/explanation/findings.ts'
import { hasDeniedName } from '../../src/report/explanation/neutral-text.ts'
import type { SentenceKey } from '../../src/report/explanation/sentence.ts'
import { countText } from '../../src/report/number-text.ts'
import { findingsOf, inputOf, monthlySales, panelOf, rulesOf, seriesFindings } from '../support/findings.ts'
import { seededRandom } from '../support/random.ts'

const plain = (text: string) => text.replaceAll('\u{A0}', ' ')
const lists = ['data_findings', 'forecast_summary', 'operational_implications', 'caveats'] as const
const most = { data_findings: 5, forecast_summary: 4, operational_implications: 4, caveats: 5 }

/** Each sentence with its key; the sentences of the narrative are all in the lists. */
function sentencesOf (
  { explanation, keys }: { explanation: Explanation, keys: ExplanationKeys }
): Array<{ text: string, key: SentenceKey }> {
  const listed = lists.flatMap((list) =>
    explanation[list].map((text, index) => ({ text: plain(text), key: keys[list][index] }))
  )
  const headline = explanation.headline === '' ? [] : [{ text: plain(explanation.headline), key: keys.headline[0] }]
  return [...headline, ...listed].map(({ text, key }) => {
    if (key === undefined) throw new Error(`no key for: ${text}`)
    return { text, key }
  })
}

const everyText = ({ explanation }: { explanation: Explanation }) =>
  plain([explanation.headline, explanation.narrative, ...lists.flatMap((list) => explanation[list])].join('\n'))

/** What in a sentence is a number and cannot be written from the values of its key. */
function strangeNumbers (text: string, { values }: SentenceKey): string[] {
  // Names in quotation marks, and those of the band and the quantile, are not figures.
  let rest = text.replaceAll(/“[^”]*”/gu, '').replaceAll('The 80 % band', '').replaceAll('80 % band', '').replaceAll(
    '0.9 quantile',
    ''
  )
  const texts = Object.values(values).flatMap((value) =>
    typeof value === 'string'
      ? [value]
      : [value, Math.abs(value)].flatMap((
        number
      ) => [figureText(number), shareText(number), ...Number.isInteger(number) ? [countText(number)] : []])
  )
  for (const known of texts.map(plain).sort((left, right) => right.length - left.length)) {
    rest = rest.replaceAll(known, '')
  }
  return rest.match(/\d[\d.,]*/g) ?? []
}

/** A name in quotation marks is one word. */
const wordCount = (text: string) => text.replaceAll(/“[^”]*”/gu, 'name').split(/\s+/).length

t.test('one series: what is in its findings, and nothing else', async (t) => {
  const { explanation, keys } = explain(inputOf(findingsOf(monthlySales())))
  t.equal(plain(explanation.headline),
    '“sales” of “A12” is forecast to be 5 % above its level a year earlier over 12 months, a likely outcome.')
  t.strictSame(explanation.data_findings.map(plain), [
    '“sales” of “A12” has a strong pattern each year: highest in December (about 12.3 % above trend), lowest in ' +
    'February.',
    'From January 2019 to December 2023 “sales” of “A12” rose by about 4.17 % a year, which suggests an upward trend.'
  ])
  t.strictSame(explanation.forecast_summary.map(plain), [
    'From January 2024 to December 2024 “sales” of “A12” is forecast to be 5 % above its level a year ' +
    'earlier, a likely outcome.',
    'In the backtest the error was 30 % smaller than that of repeating the last year, which is clearly better.',
    'Over 12 months “sales” of “A12” is forecast to average 1,050, with its highest value of 1,230 in December 2024.',
    'In December 2024 “sales” of “A12” is forecast to be 1,230, likely between 1,100 and 1,400.'
  ])
  t.strictSame(explanation.operational_implications.map(plain), [
    'Plan capacity for the peak in December 2024: about 1,230 is forecast, 17.6 % above the mean of 1,050.'
  ])
  t.strictSame(explanation.caveats, [])
  t.equal(explanation.confidence, 0.765)
  t.equal(explanation.generated_by, 'rules')
  t.strictSame(keys.headline, [{
    rule: 'comparison',
    values: { target: 'sales', item: 'A12', relative: 0.05, steps: 12, certainty: 'likely' }
  }])
})

t.test('a forecast that is not better than repeating the last season says so first', async (t) => {
  const accuracy = {
    error: 33,
    naive_error: 30,
    skill: -0.1,
    standing: 'not_better' as const,
    steps: 36,
    coverage: 0.5
  }
  const single = explain(
    inputOf(
      findingsOf(seriesFindings({ ...monthlySales(), accuracy, coverage: { share: 0.5, steps: 36, too_narrow: true } }))
    )
  )
  t.match(plain(single.explanation.caveats[0] ?? ''),
    'not better than repeating the last year: its mean error was 33 against 30.')
  t.match(single.explanation.narrative, 'not better than repeating the last year')
  t.match(single.explanation.headline, 'an uncertain outcome')
  t.notMatch(everyText(single), 'clearly better')

  const some = explain(
    inputOf(panelOf(monthlySales(), { not_better: { series: 7, volume_share: 0.01, example: 'B' } }))
  )
  t.match(plain(some.explanation.caveats[0] ?? ''),
    'For 7 of 120 series (1 % of the volume) the forecast was not better than repeating the last year.')
  const whole = explain(
    inputOf(
      panelOf(monthlySales(), { not_better: { series: 90, volume_share: 0.9 } }, {
        accuracy: { series: 100, error: 120, naive_error: 100, skill: -0.2, standing: 'not_better', coverage: 0.8 }
      })
    )
  )
  t.match(plain(whole.explanation.caveats[0] ?? ''),
    'not better than repeating the last year: their error was 20 % larger over 100 series.')
  const noSeason = explain(inputOf(findingsOf(seriesFindings({ accuracy }), { season_length: 1 }), { frequency: 'YS' }))
  t.match(noSeason.explanation.caveats[0], 'not better than repeating the last value')
})

t.test('what the forecast is compared with is what the backtest could repeat', async (t) => {
  const told = (steps: number, compared: number) => {
    const accuracy = {
      error: 20,
      naive_error: 30,
      skill: 0.33,
      standing: 'clearly_better' as const,
      steps: compared,
      coverage: 0.8
    }
    const outlook = { ...monthlySales().outlook!, steps: 6 }
    return everyText(
      explain(
        inputOf(
          findingsOf(
            seriesFindings({
              steps,
              accuracy,
              outlook,
              short_history: steps < 30 ? { steps, seasons: steps / 12 } : null
            })
          )
        )
      )
    )
  }
  t.match(told(60, 18), 'smaller than that of repeating the last year, which is clearly better')
  t.match(told(13, 6), 'smaller than that of repeating the last value, which is clearly better')
  t.match(told(26, 18), 'repeating the last year or value')
  const few = told(8, 2)
  t.match(few,
    'In the backtest the error was 33 % smaller than that of repeating the last value; only 2 months were compared.')
  t.match(few, 'All figures of the backtest rest on one test of 2 months.')
  t.notMatch(few, /clearly|the last year/)
})

t.test('whatever makes a forecast less sure is told', async (t) => {
  const told = (accuracy: Partial<NonNullable<SeriesFindings['accuracy']>>) => {
    const found = monthlySales()
    return explain(inputOf(findingsOf({ ...found, accuracy: { ...found.accuracy!, ...accuracy } }))).explanation
  }
  t.strictSame(told({}).caveats, [])
  for (const [accuracy, reason] of [
    [{ standing: 'slightly_better', skill: 0.1 },
      'the error was only 10 % smaller than that of repeating the last year, so outcomes may differ'],
    [{ coverage: 0.95 }, 'the 80 % band held 95 % of the actual values'],
    [{ coverage: null }, 'How many actual values the 80 % band held in the backtest is not known'],
    [{ steps: 4 }, 'rest on one test of 4 months']
  ] as const) {
    const { headline, caveats } = told(accuracy)
    t.match(headline, /, but may differ\.$/)
    t.ok(caveats.some((caveat) => plain(caveat).includes(reason)), reason)
  }
  const panel = explain(
    inputOf(
      panelOf(monthlySales(), {}, {
        accuracy: { series: 100, error: 90, naive_error: 120, skill: 0.1, standing: 'slightly_better', coverage: 0.6 }
      })
    )
  ).explanation
  t.strictSame(panel.caveats.map(plain), [
    'In the backtest over 100 series the error was only 10 % smaller than that of repeating the last year, so ' +
    'outcomes may differ.',
    'In the backtest over 100 series the 80 % band held 60 % of the actual values.'
  ])
})

t.test('a peak is planned for only where the forecast has one', async (t) => {
  const found = monthlySales()
  const advice = (outlook: Partial<NonNullable<SeriesFindings['outlook']>>) =>
    plain(
      explain(inputOf(findingsOf({ ...found, outlook: { ...found.outlook!, ...outlook } }))).explanation
        .operational_implications.join(' ')
    )
  t.match(advice({ highest_at: 83, to: 83, steps: 24 }), 'Plan capacity for the peak in December 2025: about ')
  for (const outlook of [{ highest_at: 65 }, { mean: 0, highest: 0 }, { mean: -5, highest: -1 }, { mean: 1234.5 }]) {
    t.notMatch(advice(outlook), 'peak')
  }
})

t.test('a series that never changed has always had its value', async (t) => {
  const caveats = (whole: boolean) =>
    plain(
      explain(inputOf(findingsOf(seriesFindings({ constant: { steps: 60, since: 0, value: 7, whole } })))).explanation
        .caveats.join(' ')
    )
  t.match(caveats(true), '“sales” of “A12” has always had the same value, 7, in 60 months, which may be an error.')
  t.match(caveats(false), 'has not changed from 7 since January 2019 (60 months)')
})

t.test('what is true of one series, or of all, is told so, and what is true of none is left out', async (t) => {
  const { explanation } = explain(inputOf(panelOf({ ...monthlySales(), trend: null, season: null }, {
    trend_up: { series: 1, of: 4, volume_share: 0.25 },
    season: { series: 30, of: 30, volume_share: 1 },
    strong_season: { series: 30, of: 30, volume_share: 1 },
    intermittent: { series: 2, of: 30, volume_share: 0.1 },
    outliers: { series: 1, of: 30, volume_share: 0.827, example: 'Store 23' },
    level_shift: { series: 30, of: 30, volume_share: 1, example: 'Store 23' },
    fall: { series: 1, of: 30, volume_share: 0.1 }
  })))
  t.strictSame(explanation.data_findings.map(plain).sort(), [
    '1 of 30 series, “Store 23” (82.7 % of the volume), has unusual values in over 1 % of the steps.',
    '1 of 4 series (25 % of the volume) shows an upward trend.',
    '2 of 30 series (10 % of the volume) are zero in many steps.',
    'All 30 series (100 % of the volume) moved to another level of late, for example “Store 23”.',
    'All 30 series (100 % of the volume) show a strong pattern each year.'
  ])
  t.match(plain(explanation.forecast_summary.join(' ')),
    '1 of 30 series is forecast to be at least 3 % below their earlier level.')
})

t.test('a name of a customer is told as it is', async (t) => {
  const names = ['h2o', 'Gemini', 'prophet', 'xgboost']
  for (const name of names) {
    t.match(explain(inputOf(findingsOf(monthlySales(), { item: name }), { target: name })).explanation.headline,
      `“${name}” of “${name}” is`)
  }
})

t.test('what the forecast goes with is named with its share, and a surrogate that is not close enough is not quoted', async (t) => {
  const drivers = {
    groups: [{ feature: 'promo', share: 0.45 }, { feature: 'calendar', share: 0.3 }, {
      feature: 'recent level',
      share: 0.16
    }, { feature: 'price', share: 0.09 }],
    fidelity: { r2: 0.9512, label: 'high' as const }
  }
  const told = explain(inputOf(findingsOf(monthlySales()), { drivers }))
  t.equal(plain(told.explanation.forecast_summary[2] ?? ''),
    'The forecast goes most with “promo” (45 %), “calendar” (30 %) and “recent level” (16 %), by a surrogate of high ' +
      'fidelity (R² 0.951).')
  t.strictSame(told.keys.forecast_summary[2]?.rule, 'drivers')
  for (const { text, key } of sentencesOf(told)) t.strictSame(strangeNumbers(text, key), [], text)
  const one = explain(
    inputOf(findingsOf(monthlySales()), { drivers: { ...drivers, groups: [{ feature: 'promo', share: 0.95 }] } })
  )
  t.match(plain(one.explanation.forecast_summary[2] ?? ''), 'The forecast goes most with “promo” (95 %), by')
  const spread = explain(
    inputOf(findingsOf(monthlySales()), { drivers: { ...drivers, groups: [{ feature: 'a', share: 0.09 }] } })
  )
  t.notMatch(everyText(spread), 'goes most with')
})

t.test('sums that were far from their parts are told of, and small differences are not', async (t) => {
  const total = panelOf(monthlySales(), {})
  const apart = explain(inputOf(total, { incoherence: 105 }))
  t.match(everyText(apart),
    'Sums and their parts were forecast up to 105 apart, 10 % of the average total, and were adjusted until they ' +
      'agreed.')
  for (const { text, key } of sentencesOf(apart)) t.strictSame(strangeNumbers(text, key), [], text)
  t.notMatch(everyText(explain(inputOf(total, { incoherence: 1 }))), 'adjusted')
  t.notMatch(everyText(explain(inputOf(findingsOf(monthlySales()), { incoherence: 500 }))), 'adjusted')
})

t.test('several series: counts, shares of the volume and the total', async (t) => {
  const { explanation } = explain(inputOf(panelOf({ ...monthlySales(), accuracy: null }, {
    trend_up: { series: 30, volume_share: 0.45 },
    trend_down: { series: 20, volume_share: 0.1 },
    season: { series: 80, volume_share: 0.85 },
    strong_season: { series: 50, volume_share: 0.6 },
    rise: { series: 40, volume_share: 0.4 },
    fall: { series: 25, volume_share: 0.2 },
    stale_end: { series: 3, volume_share: 0.02, example: 'old <b>' }
  }, { concentration: { series: 12, of: 120, share: 0.65 }, empty: 2 })))
  t.equal(plain(explanation.headline),
    'Total “sales” is forecast to be 5 % above its level a year earlier over 12 months, a likely outcome.')
  const all = plain([...explanation.data_findings, ...explanation.forecast_summary, ...explanation.caveats].join('\n'))
  for (const text of [
    'The largest 12 of 120 series make up 65 % of the volume.',
    'Of 120 series 30 show an upward trend and 20 a downward one (45 % and 10 % of the volume).',
    '80 of 120 series (85 % of the volume) show a pattern each year, 50 of them a strong one.',
    'In the backtest the error over 100 series was 25 % smaller than that of repeating the last year, which is ' +
    'clearly better.',
    'Of 120 series 40 are forecast to be at least 3 % above their earlier level, and 25 at least as much below.',
    '3 of 120 series (2 % of the volume) end before the newest data, with uncertain forecasts, for example “old <b>”.',
    '2 series have no value at all'
  ]) t.match(all, text)
})

t.test('what is found in the largest series only is not said of all', async (t) => {
  const input = inputOf(panelOf(monthlySales()))
  const all = explain({ ...input, totalSeries: 120 })
  t.strictSame(all, explain(input), 'these are all')
  const { explanation, keys } = explain({ ...input, totalSeries: 50_000 })
  t.match(plain(explanation.headline), /^Total “sales” \(120 series\) is forecast/)
  t.equal(plain(explanation.caveats[0] ?? ''),
    'All this is said of the 120 series with the largest volume, of 50,000 in the forecast.')
  t.strictSame(keys.caveats[0], { rule: 'largest_only', values: { series: 120, total_series: 50_000 } })
  t.strictSame(
    explain({ ...inputOf(panelOf(monthlySales(), {}, { empty: 3 })), totalSeries: 123 }).explanation.caveats.map((
      text
    ) => /largest volume/.test(text)),
    [false],
    'those without a value are counted'
  )
})

t.test('nothing is said about nothing', async (t) => {
  const { explanation, keys } = explain(
    inputOf(findingsOf(seriesFindings({ steps: 0 }), { series: 0, empty: 4, single: null, item: null }))
  )
  t.strictSame(explanation, {
    headline: '',
    narrative: '',
    data_findings: [],
    forecast_summary: [],
    operational_implications: [],
    caveats: [],
    confidence: 0,
    generated_by: 'rules'
  })
  t.strictSame(Object.values(keys).flat(), [])
  // Series without a sum and without a backtest.
  const bare = explain(
    inputOf({
      ...panelOf(seriesFindings()),
      total: null,
      accuracy: { series: 0, error: 0, naive_error: 0, skill: 0, standing: null, coverage: null }
    })
  )
  t.equal(bare.explanation.headline, '')
  t.match(bare.explanation.caveats[0], 'backtested')
})

t.test('advice agrees with the forecast, not with what is usual', async (t) => {
  const found = monthlySales()
  const promoted = explain(inputOf(findingsOf({
    ...found,
    season: { ...found.season!, peak_relative: 0.313 },
    outlook: { ...found.outlook!, highest: 187_000, mean: 110_000 }
  }))).explanation.operational_implications.map(plain)
  t.match(promoted[0],
    'Plan capacity for the peak in December 2024: about 187,000 is forecast, 70 % above the mean of 110,000.')
  t.notMatch(promoted.join(), '31.3')
  const uncertainty = { first_width: 400, last_width: 800, ratio: 2, relative: 0.6, growing: false, wide: true }
  const advice = (coverage: number) =>
    explain(inputOf(findingsOf({ ...found, uncertainty, accuracy: { ...found.accuracy!, coverage } }))).explanation
      .operational_implications.join()
  t.match(advice(0.8), '0.9 quantile for stock')
  t.notMatch(advice(0.95), '0.9 quantile', 'a band that is too wide is no reason for more stock')
})

t.test('percentages need a base above zero', async (t) => {
  const found = monthlySales()
  const { explanation } = explain(inputOf(findingsOf({
    ...found,
    trend: { ...found.trend!, relative: null, total_relative: null },
    season: { ...found.season!, peak_relative: null },
    comparison: { ...found.comparison!, relative: null, change: -600 },
    level_shift: { at: 50, size: -70, relative: null },
    outlook: { ...found.outlook!, mean: -10 }
  })))
  const text = plain(
    [explanation.headline, ...explanation.data_findings, ...explanation.operational_implications].join('\n')
  )
  t.notMatch(text, '%')
  for (const part of ['be 600 below', 'rose by about 41.7 a year', 'about 123 above trend', 'moved down by about 70',
    'about 1,230 is forecast, against the mean of −10']) {
    t.match(text, part)
  }
})

t.test('dates and seasons are spoken of as the frequency has them', async (t) => {
  const phases: Array<[string, number, RegExp]> = [
    ['MS', 12, /each year: highest in December.*lowest in February/],
    ['QE', 4, /each year: highest in Q4.*lowest in Q2/],
    ['D', 7, /each week: highest on Thursdays.*lowest on Mondays/],
    ['30min', 48, /each day: highest at 05:30.*lowest at 00:30/],
    ['30min', 336, /each week: highest on Tuesdays at 05:30/],
    ['W-SUN', 52, /each year: highest in February/],
    ['h', 5, /each 5 steps: highest around 2019-01-08 05:30/],
    ['15min', 4, /each hour: highest around/]
  ]
  for (const [frequency, length, expected] of phases) {
    const season = { ...monthlySales().season!, length }
    t.match(
      plain(
        explain(inputOf(findingsOf(seriesFindings({ season }), { season_length: length }), { frequency })).explanation
          .data_findings[0] ?? ''
      ),
      expected,
      `${frequency} ${length}`
    )
  }
  const headline = (frequency: string, seasons: number | null, length: number) =>
    plain(
      explain(
        inputOf(
          findingsOf(seriesFindings({ comparison: { ...monthlySales().comparison!, seasons } }), {
            season_length: length
          }),
          { frequency }
        )
      ).explanation.forecast_summary[0] ?? ''
    )
  t.match(headline('30min', 1, 48),
    'From 2019-01-08 06:00 to 2019-01-08 11:30 “sales” of “A12” is forecast to be 5 % above its level a day ' +
      'earlier, an uncertain outcome.')
  t.match(headline('D', 3, 7), 'above its level 3 weeks earlier')
  t.match(headline('2h', null, 1), 'above its level just before')
  t.match(headline('YE', null, 1),
    'From 2079 to 2090 “sales” of “A12” is forecast to be 5 % above its level just before')
  t.throws(() => explain({ ...inputOf(findingsOf(monthlySales())), dates: {} }), {
    name: 'RangeError',
    message: /no date for step/
  })
})

t.test('the findings that the engine writes are understood', async (t) => {
  const written: Record<string, Findings> = JSON.parse(
    readFileSync(new URL('../fixtures/findings.json', import.meta.url), 'utf8')
  )
  for (const [name, findings] of Object.entries(written)) {
    const { explanation, keys } = explain(inputOf(findings))
    t.ok(explanation.headline.length > 20 && explanation.narrative.length > 100, name)
    t.ok(lists.every((list) => explanation[list].length > 0 && explanation[list].length === keys[list].length), name)
    t.equal(explanation.confidence, Math.round(findings.confidence.value * 1000) / 1000)
    for (const { text, key } of sentencesOf({ explanation, keys })) t.strictSame(strangeNumbers(text, key), [], text)
  }
})

/** Findings of all kinds with numbers of all sizes. */
function anything (random: () => number): ExplanationInput {
  const pick = <T>(...of: T[]): T => of[Math.floor(random() * of.length)] as T
  const value = () => (random() - 0.5) * 10 ** Math.floor(random() * 40 - 15)
  const maybe = <T>(make: () => T): T | null => random() < 0.6 ? make() : null
  const whole = (below: number) => Math.floor(random() * below)
  const standing = (): Standing => pick('clearly_better', 'slightly_better', 'not_better')
  const step = () => whole(200)
  const steps = () => 1 + whole(2000)
  const seasonal = random() < 0.5
  const change = () =>
    random() < 0.3
      ? { change: pick(value(), 0), relative: maybe(() => 0.06 * random() - 0.03), about_same: true }
      : { change: value(), relative: maybe(() => random() - 0.5), about_same: false }
  const series = (): SeriesFindings => ({
    steps: 5000,
    from: step(),
    to: step(),
    trend: maybe(() => ({
      change: value(),
      relative: maybe(() => random() - 0.5),
      total: value(),
      total_relative: maybe(() => random() - 0.5),
      strong: random() < 0.5,
      from: step(),
      to: step()
    })),
    trend_change: maybe(() => ({
      before: value(),
      after: value(),
      before_relative: maybe(() => random() - 0.5),
      after_relative: maybe(() => random() - 0.5),
      at: step()
    })),
    season: !seasonal
      ? null
      : maybe(() => ({
        length: 12,
        strength: random(),
        strong: random() < 0.5,
        peak: step(),
        trough: step(),
        next_peak: step(),
        peak_change: Math.abs(value()),
        peak_relative: maybe(random)
      })),
    level_shift: maybe(() => ({ at: step(), size: value(), relative: maybe(() => random() - 0.5) })),
    outliers: maybe(() => ({ count: steps(), share: random(), largest: step(), value: value(), expected: value() })),
    intermittent: maybe(() => ({ interval: 1.32 + random() * 9, zero_share: random(), lumpy: random() < 0.5 })),
    short_history: maybe(() => ({ steps: steps(), seasons: maybe(() => random() * 3) })),
    missing: maybe(() => ({
      missing: whole(2) * steps(),
      duplicates: steps(),
      share: random(),
      grade: pick('note', 'caveat', 'severe')
    })),
    constant: maybe(() => ({ steps: steps(), since: step(), value: value(), whole: false })),
    negatives: maybe(() => ({ count: steps(), observed: steps(), share: random() })),
    stale_end: maybe(() => ({ last: step(), steps: steps() })),
    uncertainty: maybe(() => ({
      first_width: Math.abs(value()),
      last_width: Math.abs(value()),
      ratio: maybe(() => 3 + random() * 9),
      relative: maybe(() => random() * 3),
      growing: random() < 0.5,
      wide: random() < 0.5
    })),
    accuracy: maybe(() => ({
      error: Math.abs(value()),
      naive_error: Math.abs(value()),
      skill: random() - 0.5,
      standing: standing(),
      steps: steps(),
      coverage: maybe(random)
    })),
    bias: maybe(() => ({ mean_error: value(), relative: random() - 0.5, steps: steps() })),
    coverage: maybe(() => ({ share: random(), steps: steps(), too_narrow: random() < 0.5 })),
    comparison: maybe(() => ({
      forecast: value(),
      previous: value(),
      ...change(),
      outside_band: null,
      steps: steps(),
      from: step(),
      to: step(),
      seasons: seasonal ? pick(1, 2, 3) : null
    })),
    outlook: maybe(() => ({
      steps: pick(1, steps()),
      from: step(),
      to: step(),
      mean: value(),
      highest_at: step(),
      highest: value(),
      last: value(),
      last_lower: maybe(value),
      last_upper: maybe(value)
    }))
  })
  const names = ['sales', 'a b c d e f g h i j', '<script>', 'units_2024', 'Xgboost forecast', '“quoted” 17',
    '\u202Eevil', '']
  const extent = (): Extent => ({
    series: pick(0, 1, whole(120)),
    of: 120,
    volume_share: random(),
    example: maybe(() => pick(...names))
  })
  const rules = rulesOf({})
  for (const name of Object.keys(rules) as RuleName[]) rules[name] = extent()
  const isPanel = random() < 0.5
  const total = pick(null, { series: pick(119, 120), findings: series() })
  const findings: Findings = {
    ...findingsOf(series()),
    season_length: seasonal ? 12 : 1,
    item: pick(...names),
    ...isPanel ? { series: 120, single: null, item: null, total, rules } : {},
    accuracy: pick({ series: 0, error: 0, naive_error: 0, skill: 0, standing: null, coverage: null }, {
      series: 99,
      error: 1,
      naive_error: 2,
      skill: random() - 0.5,
      standing: standing(),
      coverage: maybe(random)
    }),
    concentration: maybe(() => ({ series: 12, of: 120, share: random() })),
    empty: whole(3)
  }
  return inputOf(findings, {
    target: pick(...names),
    frequency: pick('MS', 'QE', 'D', 'h', '30min', 'YE', 'W-SUN', 'B')
  })
}

t.test('whatever is found: short sentences, every number from the key, no cause, no vendor, the same each time', async (t) => {
  const random = seededRandom(t)
  const banned = /\b(?:because|causes?|caused|will|guarantee[ds]?|due to)\b/i
  const rules = new Set<string>()
  for (let round = 0; round < 1000; round++) {
    const input = anything(random)
    const result = explain(input)
    const { explanation } = result
    for (const list of lists) {
      if (explanation[list].length > most[list]) t.fail(`${list} has ${explanation[list].length} sentences`)
    }
    for (const { text, key } of sentencesOf(result)) {
      rules.add(key.rule)
      const strange = strangeNumbers(text, key)
      if (strange.length > 0) t.fail(`${strange.join(' ')} in: ${text}`, { key })
      if (wordCount(text) > 25) t.fail(`${wordCount(text)} words: ${text}`)
      if (!/^[\p{Lu}\d“−].*\.$/u.test(text)) t.fail(`no sentence: ${text}`)
      if (/NaN|undefined|null|Infinity|\[object| {2}|\ba (?:upward|hour)|\b1 of \d+ series (?:are|have|were|show|end)\b/
        .test(text)) t.fail(`odd: ${text}`)
    }
    const text = everyText(result)
    if (banned.test(text)) t.fail(`causal: ${banned.exec(text)?.[0]}`)
    if (hasDeniedName(text.replaceAll(/“[^”]*”/gu, ''))) t.fail(`a vendor's name: ${text}`)
    if (/(?!\n)[\u202E\p{Cc}]/u.test(text)) t.fail('what cannot be seen')
    if (JSON.stringify(explain(structuredClone(input))) !== JSON.stringify(result)) {
      t.fail('another text for the same findings')
    }
  }
  t.ok(rules.size >= 25, `${rules.size} rules spoke: ${[...rules].join(' ')}`)
})
