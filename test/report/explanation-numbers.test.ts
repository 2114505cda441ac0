import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { SentenceKey } from '../../src/report/explanation/sentence.ts'
import { parseCsv } from '../support/csv.ts'
import { manySeries, mixedPanel, oddPanel, promotedPanel, singleSeries,
  type Dataset } from '../support/recompute/datasets.ts'
import { About, recompute, type Expected, type ExpectedValues,
  type Extents } from '../support/recompute/expected-values.ts'
import { runDataset, type Run } from '../support/recompute/read-run.ts'
import { at, mean, sum, variance } from '../support/recompute/statistics.ts'

/*
 * Every number of the explanation of real runs, once more: from the rows of the input, the forecast table, and of the
 * backtest the window that is published. Histories are as long as one window needs, so that all of the backtest is in
 * `plot.json`.
 */

/** Values that nothing published gives: each is what was found, within a range that the data do give. */
const fromFindingsOnly: Readonly<Record<string, (run: Run) => { found: number, least: number, most: number }>> = {
  // Of origins that the surrogate was not trained on; rows that are published are those it was trained on, which it
  // knows better.
  'drivers.r2': ({ document, folder }) => ({
    found: document.importance?.fidelity?.r2 ?? NaN,
    least: 0,
    most: reproducedShare(folder)
  })
}

const lists = ['headline', 'data_findings', 'forecast_summary', 'operational_implications', 'caveats'] as const
const plain = (text: string) => text.replaceAll('\u{A0}', ' ')

interface Told {
  where: string
  text: string
  key: SentenceKey
}

function sentencesOf ({ explained: { explanation, keys } }: Run): Told[] {
  return lists.flatMap((list) =>
    [explanation[list]].flat().flatMap((text, index) => {
      const key = keys[list][index]
      return key === undefined ? [] : [{ where: `${list}: ${plain(text)}`, text: plain(text), key }]
    })
  )
}

/**
 * Sentences about several series have counts of them; so has the one about the error of all, whose other values are of
 * the main one.
 */
function scopeOf ({ rule, values }: SentenceKey, isPanel: boolean): keyof ExpectedValues {
  return isPanel && (['series', 'of', 'up'].some((name) => name in values) || rule === 'not_better') ? 'panel' : 'main'
}

function expectedFor (key: SentenceKey, run: Run, values: ExpectedValues): Record<string, Expected> | undefined {
  const isPanel = run.series.length > 1
  if (key.rule === 'drivers') return driversOf(run)
  // The error of all series together is told by the same rule as the number of those with a larger one.
  if (isPanel && key.rule === 'not_better' && 'skill' in key.values) return values.panel['accuracy']
  return values[scopeOf(key, isPanel)][key.rule]
}

function shapTable (folder: string): { head: string[], rows: string[][] } {
  const [head = [], ...rows] = parseCsv(readFileSync(join(folder, 'explainability', 'shap_values.csv'), 'utf8'))
  return { head, rows }
}

/** The share of the variance of the forecast that the surrogate reproduces in the published rows. */
function reproducedShare (folder: string): number {
  const { head, rows } = shapTable(folder)
  const column = (name: string) => rows.map((row) => Number(at(row, head.indexOf(name))))
  const [reproduced, prediction] = [column('reproduced'), column('prediction')]
  return 1 - mean(prediction.map((value, row) => (value - at(reproduced, row)) ** 2)) / variance(prediction)
}

/** Shares of the mean absolute contributions of groups of features, from the contributions of all rows. */
function driversOf ({ folder, document }: Run): Record<string, Expected> {
  const { head, rows } = shapTable(folder)
  const [id, feature, value] = ['row_id', 'feature', 'shap_value'].map((name) => head.indexOf(name)) as [number, number,
    number]
  const groups = new Map<string, Map<string, number>>()
  for (const row of rows) {
    const ofGroup = groups.get(groupOf(at(row, feature))) ?? new Map<string, number>()
    groups.set(groupOf(at(row, feature)),
      ofGroup.set(at(row, id), (ofGroup.get(at(row, id)) ?? 0) + Number(at(row, value))))
  }
  const sizes = [...groups].map(([name, ofRows]) => ({ name, size: sum([...ofRows.values()].map(Math.abs)) })).sort((
    left,
    right
  ) => right.size - left.size)
  const all = sum(sizes.map(({ size }) => size))
  const named = sizes.map(({ name, size }, index) => ({
    [`driver_${index + 1}`]: name,
    [`share_${index + 1}`]: size / all
  }))
  return Object.assign({ fidelity: document.importance?.fidelity?.label ?? '' }, ...named) as Record<string, Expected>
}

function groupOf (feature: string): string {
  const groups: Array<[pattern: RegExp, group: string]> = [
    [/^(?:lag_1$|rolling_mean)/, 'recent level'],
    [/^lag_/, 'earlier values'],
    [/^rolling_std/, 'recent spread'],
    [/^growth_/, 'recent growth'],
    [/^steps_ahead$/, 'steps ahead'],
    [/^(?:year|quarter|month|week|day|is)_?/, 'calendar']
  ]
  return groups.find(([pattern]) => pattern.test(feature))?.[1] ?? feature
}

function isClose (actual: number | string, expected: Expected): boolean {
  if (typeof actual === 'string' || typeof expected === 'string') return actual === expected
  if (expected instanceof About) return Math.abs(actual - expected.value) <= expected.within
  return Math.abs(actual - expected) <= 1e-9 * Math.max(Math.abs(expected), 1e-3)
}

const shown = (expected: Expected | undefined) =>
  expected instanceof About ? `${expected.value} ± ${expected.within}` : expected

/** The key's values that are not what was recomputed. */
function wrongValues (run: Run, { rule, values }: SentenceKey, expected: Record<string, Expected>): string[] {
  return Object.entries(values).flatMap(([name, actual]) => {
    const range = fromFindingsOnly[`${rule}.${name}`]?.(run)
    if (range !== undefined) {
      return actual === range.found && range.found >= range.least && range.found <= range.most
        ? []
        : [`${name} is ${actual}, and ${JSON.stringify(range)} was found`]
    }
    const known = expected[name]
    return known !== undefined && isClose(actual, known)
      ? []
      : [`${name} is ${actual}, and ${shown(known)} by the data`]
  })
}

/** Numbers of the text that are no recomputed value with three significant digits, nor an exact count. */
function wrongFigures (text: string, { rule, values }: SentenceKey, expected: Record<string, Expected>): string[] {
  let rest = text.replaceAll(/“[^”]*”/gu, '').replaceAll('80 % band', '').replaceAll('0.9 quantile', '')
  const known: number[] = []
  for (const [name, value] of Object.entries(values).sort(([, left], [, right]) =>
    String(right).length - String(left).length
  )) {
    const recomputed = expected[name]
    if (typeof value === 'string') rest = rest.replaceAll(value, '')
    else known.push(typeof recomputed === 'number' && !(`${rule}.${name}` in fromFindingsOnly) ? recomputed : value)
  }
  return [...rest.matchAll(/(\d[\d,]*(?:\.\d+)?)( %)?/g)].flatMap(([, digits = '', percent]) => {
    const figure = Number(digits.replaceAll(',', ''))
    const candidates = known.map((value) => Math.abs(value) * (percent === undefined ? 1 : 100))
    return candidates.some((value) => isFigureOf(figure, value)) ? [] : [digits]
  })
}

function isFigureOf (figure: number, value: number): boolean {
  return figure === Number(value.toPrecision(3)) || (Number.isInteger(value) && figure === value) ||
    (figure === 99.9 && value > 99.9 && value < 100)
}

/** One window: `plot.json` has no other. */
function isBacktestWhole ({ report, series }: Run): boolean {
  return report.classes.every((one) => (one.leaderboard?.windows ?? 0) <= one.series) && series.length > 0
}

/** Of all rules that found something in several series only the most important ones have a sentence. */
function wrongExtents (run: Run, extents: Extents): string[] {
  const { rules } = run.findings['findings'] as { rules: Record<string, Record<string, string | number | null>> }
  return Object.entries(extents).flatMap(([rule, extent]) => {
    const values = Object.fromEntries(Object.entries(rules[rule] ?? {}).map(([name, value]) => [name, value ?? '']))
    return wrongValues(run, { rule, values }, extent).map((text) => `${rule}: ${text}`)
  })
}

/** The page gives the errors of the backtest once, at its beginning. */
function checkPage (t: Test, { folder }: Run): void {
  const page = plain(readFileSync(join(folder, 'report.html'), 'utf8'))
  if (page.includes('Accuracy: not known.')) return
  t.match(page, /On average the errors were .*\. In the unit of the data, a step of a series was off by /)
  t.notMatch(page, /In the backtest the (?:mean )?error|backtest error was/)
}

/** `just before` is the one right before, and no season earlier than that. */
function wrongPeriods (sentences: readonly Told[], { series, season }: Run): string[] {
  const horizon = series[0]?.mean.length ?? 0
  const isRightBefore = season < 2 || horizon % season === 0
  return isRightBefore ? [] : sentences.flatMap(({ text, where }) => text.includes('just before') ? [where] : [])
}

const spoken = new Map<string, number>()

async function check (t: Test, dataset: Dataset): Promise<void> {
  const run = await runDataset(dataset, t.testdir())
  t.ok(isBacktestWhole(run), 'one window of a series')
  const { values, extents, confidence } = recompute({ dataset, series: run.series, season: run.season })
  const sentences = sentencesOf(run)
  t.ok(sentences.length >= 3, `${sentences.length} sentences`)
  for (const { where, text, key } of sentences) {
    const expected = expectedFor(key, run, values)
    if (expected === undefined) {
      t.fail(`nothing recomputes ${key.rule}: ${where}`)
      continue
    }
    const rule = `${scopeOf(key, run.series.length > 1)} ${key.rule}`
    spoken.set(rule, (spoken.get(rule) ?? 0) + 1)
    t.strictSame(wrongValues(run, key, expected), [], where)
    t.strictSame(wrongFigures(text, key, expected), [], `figures of ${where}`)
  }
  t.strictSame(wrongPeriods(sentences, run), [], 'periods')
  if (run.series.length > 1) t.strictSame(wrongExtents(run, extents), [], 'extents of the rules')
  const told = run.explained.explanation
  t.equal(told.confidence, Math.round(confidence * 1000) / 1000, 'confidence')
  const narrated = sentences.reduce((rest, { text }) => rest.replace(text, ''), plain(told.narrative))
  t.equal(narrated.trim(), '', 'the narrative has no other sentences')
  checkPage(t, run)
}

for (const dataset of [...singleSeries(), mixedPanel('mixed', 3, false), mixedPanel('whole', 11, true), oddPanel(),
  promotedPanel(), manySeries()]) {
  t.test(dataset.name, async (t) => await check(t, dataset))
}

t.test('most rules have spoken', async (t) => {
  t.ok(spoken.size >= 38, `${spoken.size} of one series and of several`)
  t.comment([...spoken].map(([rule, count]) => `${rule} ${count}`).sort().join(', '))
})
