import type { Token } from './tokens.ts'

/** The form that rules know, and the others. */
const anywhere = forms([
  ['second', 'seconds secs'],
  ['minute', 'minutes mins'],
  ['hour', 'hours hrs hr'],
  ['day', 'days'],
  ['businessday', 'weekdays weekday workdays workday'],
  ['week', 'weeks wk wks'],
  ['fortnight', 'fortnights'],
  ['month', 'months mth mths mos'],
  ['quarter', 'quarters qtr qtrs'],
  ['year', 'years yr yrs'],
  ['decade', 'decades'],
  ['step', 'steps timestep timesteps'],
  ['period', 'periods'],
  ['point', 'points datapoint datapoints'],
  ['interval', 'intervals'],
  ['observation', 'observations'],
  ['reading', 'readings'],
  ['row', 'rows'],
  ['value', 'values'],
  ['bucket', 'buckets'],
  ['slot', 'slots timeslot timeslots'],
  ['tick', 'ticks'],
  ['candle', 'candles candlestick candlesticks'],
  ['forecast', 'forecasts'],
  ['prediction', 'predictions'],
  ['projection', 'projections'],
  ['dont', "don't"],
  ['doesnt', "doesn't"],
  ['shouldnt', "shouldn't"],
  ['isnt', "isn't"],
  ['cant', "can't"],
  ['wont', "won't"],
  ['%', 'percent pct']
])
const afterNumber = forms([
  ['second', 's sec'],
  ['minute', 'min'],
  ['hour', 'h'],
  ['day', 'd'],
  ['week', 'w'],
  ['month', 'm mo'],
  ['quarter', 'q'],
  ['year', 'y']
])

/** Words that mean one thing together, longest first; `#` is a number, whose value is put for `#`. */
const phrases: [string, string][] = [
  ...['hour', 'day', 'week', 'month', 'year'].flatMap((unit): [string, string][] => [
    [`# ${unit} and a half`, `#.5 ${unit}`],
    [`a ${unit} and a half`, `1.5 ${unit}`],
    [`an ${unit} and a half`, `1.5 ${unit}`],
    [`${unit} and a half`, `1.5 ${unit}`]
  ]),
  ['# hour and a quarter', '#.25 hour'],
  ['an hour and a quarter', '1.25 hour'],
  ['hour and a quarter', '1.25 hour'],
  ['# quarter of an hour', '# quarterhour'],
  ['a quarter of an hour', '1 quarterhour'],
  ['half a year', '6 month'],
  ['a half year', '6 month'],
  ['half year', '6 month'],
  ['halfyear', '6 month'],
  ['half a day', '12 hour'],
  ['half day', '12 hour'],
  ['half an hour', '1 halfhour'],
  ['a half hour', '1 halfhour'],
  ['half a month', '15 day'],
  ['half hour', 'halfhour'],
  ['half hourly', 'halfhourly'],
  ['halfhours', 'halfhour'],
  ['quarter of an hour', '1 quarterhour'],
  ['quarter of a year', '1 quarter'],
  ['quarter hour', 'quarterhour'],
  ['quarter hourly', 'quarterhourly'],
  ['# and a half', '#.5'],
  ['a fortnight', '2 week'],
  ['# fortnight', '2# week'],
  ['fortnight', '2 week'],
  ['# decade', '10# year'],
  ['a decade', '10 year'],
  ['business day', 'businessday'],
  ['working day', 'businessday'],
  ['work day', 'businessday'],
  ['trading day', 'businessday'],
  ['business daily', 'businessdaily'],
  // What trades call a step of theirs.
  ...['settlement', 'trading', 'billing', 'reporting', 'accounting', 'planning', 'dispatch', 'metering', 'sampling',
    'measurement', 'market', 'pay'].flatMap((
      trade
    ): [string, string][] => [[`${trade} period`, 'period'], [`${trade} interval`, 'interval']]),
  ['time slot', 'slot'],
  ['time bucket', 'bucket'],
  ['time step', 'step'],
  ['data point', 'point'],
  ['do not', 'dont'],
  ['does not', 'doesnt'],
  ['should not', 'shouldnt'],
  ['must not', 'shouldnt'],
  ['is not', 'isnt'],
  ['per cent', '%'],
  ['calendar month', 'month'],
  ['calendar week', 'week'],
  ['calendar year', 'year'],
  ['calendar day', 'day'],
  ['full month', 'month'],
  ['full week', 'week'],
  ['full year', 'year'],
  ['fiscal year', 'year'],
  ['financial year', 'year'],
  ['business year', 'year'],
  ['trading year', 'year'],
  ['whole year', 'year']
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
    // Of `2h 30m` the second are minutes.
    const isOfHour = token.key === 'm' && isAfterNumber &&
      /^(?:h|hr|hrs|hour|hours)$/.test(tokens[index - 2]?.key ?? '')
    const key = isOfHour
      ? 'minute'
      : token.kind === 'word'
      ? (isAfterNumber ? afterNumber.get(token.key) : undefined) ?? anywhere.get(token.key)
      : undefined
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
        read.push({
          start: token.start,
          end: (covered.at(-1) as Token).end,
          kind: /^\d/.test(key) ? 'number' : 'word',
          key,
          parts: position === 0 ? covered.flatMap((part) => part.parts) : []
        })
      })
      index += covered.length
    }
  }
  return read
}

function phraseAt (tokens: readonly Token[], index: number): { from: string[], to: string[] } | undefined {
  const token = tokens[index] as Token
  return byFirstWord.get(token.kind === 'number' ? '#' : token.key)?.find(({ from }) =>
    from.every((key, offset) => offset === 0 || tokens[index + offset]?.key === key)
  )
}

function withValue (pattern: string, value: string): string {
  const match = /^(\d*)#(\.\d+)?$/.exec(pattern)
  return match === null ? pattern : String(Number(value) * Number(match[1] || 1) + Number(match[2] ?? 0))
}

function forms (lists: [string, string][]): ReadonlyMap<string, string> {
  return new Map(lists.flatMap(([form, others]) => others.split(' ').map((other): [string, string] => [other, form])))
}
