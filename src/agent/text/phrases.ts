import type { Token } from './tokens.ts'

const anywhere: Record<string, string> = {
  seconds: 'second', secs: 'second', minutes: 'minute', mins: 'minute', hours: 'hour', hrs: 'hour', hr: 'hour', days: 'day', weeks: 'week', wk: 'week', wks: 'week',
  months: 'month', mth: 'month', mths: 'month', mos: 'month', quarters: 'quarter', qtr: 'quarter', qtrs: 'quarter', years: 'year', yr: 'year', yrs: 'year',
  weekdays: 'businessday', weekday: 'businessday', workdays: 'businessday', workday: 'businessday', fortnights: 'fortnight', halfyear: 'halfyear', decades: 'decade',
  steps: 'step', timesteps: 'step', timestep: 'step', periods: 'period', points: 'point', datapoints: 'point', datapoint: 'point', intervals: 'interval', observations: 'observation',
  forecasts: 'forecast', predictions: 'prediction', projections: 'projection', readings: 'reading', rows: 'row', values: 'value', buckets: 'bucket',
  "don't": 'dont', "doesn't": 'doesnt', "shouldn't": 'shouldnt', "isn't": 'isnt', "can't": 'cant', "won't": 'wont', percent: '%', pct: '%'
}
const afterNumber: Record<string, string> = {
  s: 'second', sec: 'second', min: 'minute', m: 'month', mo: 'month', h: 'hour', d: 'day', w: 'week', q: 'quarter', y: 'year'
}

/** Words that mean one thing together, longest first; `#` is a number, whose value is put for `#`. */
const phrases: [string, string][] = [
  ['# year and a half', '#.5 year'], ['# month and a half', '#.5 month'], ['a year and a half', '1.5 year'], ['year and a half', '1.5 year'], ['a month and a half', '1.5 month'],
  ['a week and a half', '1.5 week'], ['a day and a half', '1.5 day'], ['an hour and a half', '1.5 hour'],
  ['half a year', '6 month'], ['a half year', '6 month'], ['half year', '6 month'], ['halfyear', '6 month'], ['half a day', '12 hour'], ['half day', '12 hour'],
  ['half an hour', '1 halfhour'], ['a half hour', '1 halfhour'], ['half a month', '15 day'], ['half hour', 'halfhour'], ['half hourly', 'halfhourly'], ['halfhours', 'halfhour'],
  ['quarter of an hour', '1 quarterhour'], ['quarter of a year', '1 quarter'], ['quarter hour', 'quarterhour'], ['quarter hourly', 'quarterhourly'],
  ['# and a half', '#.5'], ['a fortnight', '2 week'], ['# fortnight', '2# week'], ['fortnight', '2 week'], ['# decade', '10# year'], ['a decade', '10 year'],
  ['business day', 'businessday'], ['working day', 'businessday'], ['work day', 'businessday'], ['trading day', 'businessday'],
  ['business daily', 'businessdaily'],
  ['time step', 'step'], ['data point', 'point'], ['do not', 'dont'], ['does not', 'doesnt'], ['should not', 'shouldnt'], ['must not', 'shouldnt'], ['is not', 'isnt'], ['per cent', '%'],
  ['calendar month', 'month'], ['calendar week', 'week'], ['calendar year', 'year'], ['calendar day', 'day'], ['full month', 'month'], ['full week', 'week'], ['full year', 'year'], ['whole year', 'year']
]
const byFirstWord = new Map<string, { from: string[], to: string[] }[]>()
for (const [text, canonical] of phrases) {
  const from = text.split(' ')
  const first = from[0] as string
  byFirstWord.set(first, [...byFirstWord.get(first) ?? [], { from, to: canonical.split(' ') }])
}

/** Brings units and fixed expressions into one form, so that rules need to know one only. */
export function readPhrases (tokens: readonly Token[]): Token[] {
  const plain = tokens.map((token, index) => {
    const isAfterNumber = tokens[index - 1]?.kind === 'number'
    const key = token.kind !== 'word' ? undefined : (isAfterNumber && Object.hasOwn(afterNumber, token.key) ? afterNumber[token.key] : Object.hasOwn(anywhere, token.key) ? anywhere[token.key] : undefined)
    return key === undefined ? token : { ...token, key }
  })
  const read: Token[] = []
  for (let index = 0; index < plain.length;) {
    const token = plain[index] as Token
    const found = phraseAt(plain, index)
    if (found === undefined) {
      read.push(token)
      index++
    } else {
      const covered = plain.slice(index, index + found.from.length)
      const value = token.kind === 'number' ? token.key : ''
      found.to.forEach((pattern, position) => {
        const key = withValue(pattern, value)
        // The parts stay with the first, for names of columns.
        read.push({ start: token.start, end: (covered.at(-1) as Token).end, kind: /^\d/.test(key) ? 'number' : 'word', key, parts: position === 0 ? covered.flatMap((part) => part.parts) : [] })
      })
      index += covered.length
    }
  }
  return read
}

function phraseAt (tokens: readonly Token[], index: number): { from: string[], to: string[] } | undefined {
  const token = tokens[index] as Token
  return byFirstWord.get(token.kind === 'number' ? '#' : token.key)?.find(({ from }) => from.every((key, offset) => offset === 0 || tokens[index + offset]?.key === key))
}

function withValue (pattern: string, value: string): string {
  const match = /^(\d*)#(\.5)?$/.exec(pattern)
  return match === null ? pattern : String(Number(value) * Number(match[1] || 1) + Number(match[2] ?? 0))
}
