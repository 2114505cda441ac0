import { Pattern, type PatternText } from '../phrases/pattern.ts'
import type { Token } from './tokens.ts'

/** The normal form of each word, and its other forms. */
const anywhere = forms(`
  second: seconds secs; minute: minutes mins; hour: hours hrs hr; day: days; week: weeks wk wks; month: months mth mths mos; year: years yr yrs;
  quarter: quarters qtr qtrs; fortnight: fortnights; decade: decades; businessday: weekdays weekday workdays workday; step: steps timestep timesteps;
  period: periods; point: points datapoint datapoints; interval: intervals; observation: observations; reading: readings; row: rows; value: values;
  bucket: buckets; slot: slots timeslot timeslots; tick: ticks; candle: candles candlestick candlesticks; forecast: forecasts; prediction: predictions;
  projection: projections; dont: don't; doesnt: doesn't; shouldnt: shouldn't; isnt: isn't; cant: can't; wont: won't; %: percent pct;
  next: nachsten nachste nachster nachstes naechsten naechste naechster naechstes kommenden kommende kommendes folgenden folgende prochaines prochains
    prochaine prochain proximos proximas proximo proxima siguientes suivantes suivants;
  last: letzten letzte letztes vergangenen vorigen derniers dernieres dernier derniere passes passees ultimos ultimas pasados pasadas`)
/** Forms that only count after a number, also in German, French and Spanish. */
const afterNumber = forms(`
  second: s sec; minute: min minuten; hour: h stunden stunde heures heure horas hora; day: d tage tagen tag jours jour dias dia;
  week: w wochen woche semaines semaine semanas semana; month: m mo monate monaten monat mois meses mes;
  quarter: q quartale quartalen quartal trimestres trimestre; year: y jahre jahren jahr ans an annees annee anos ano`)

const trades =
  'settlement|trading|billing|reporting|accounting|planning|dispatch|metering|sampling|measurement|market|pay'
/**
 * Fixed expressions and their normal forms, the likeliest first. `#` is the number, which may be multiplied or
 * increased by another one; `$` is the unit.
 */
const rewrites: readonly { pattern: Pattern, to: string[] }[] = `
  <n> next => next #
  <n> last => last #
  (fuer|fur|pour|para|por|uber|ueber die|das|den|les|la|le|los|las|el? | fur|fuer|pour|para) =>(next|last|<n>) => for
  <n> <unit> and a half => #+0.5 $
  a|an? <unit> and a half => 1.5 $
  <n> hour and a quarter => #+0.25 hour
  an? hour and a quarter => 1.25 hour
  <n> quarter of an hour => # quarterhour
  a? quarter of an hour => 1 quarterhour
  a? (half a? year | halfyear) => 6 month
  half a? day => 12 hour
  half an hour => 1 halfhour
  a half hour => 1 halfhour
  half a month => 15 day
  half hour => halfhour
  halfhours => halfhour
  half hourly => halfhourly
  quarter of a year => 1 quarter
  quarter hour => quarterhour
  quarter hourly => quarterhourly
  <n> and a half => #+0.5
  a|an =>(<unit> and <n> <unit>) => 1
  <n> fortnight => #*2 week
  a? fortnight => 2 week
  <n> decade => #*10 year
  a decade => 10 year
  half a dozen => 6
  a|an|the? half dozen => 6
  <n> dozen => #*12
  a|an? dozen => 12
  a pair of => 2
  a couple of? => 2
  !<(the) couple of? => 2
  business|working|work|trading day => businessday
  business daily => businessdaily
  ${trades} period => period
  ${trades} interval => interval
  time slot => slot
  time bucket => bucket
  time step => step
  data point => point
  do not => dont
  does not => doesnt
  should|must not => shouldnt
  is not => isnt
  per cent => %
  calendar|full month => month
  calendar|full week => week
  calendar|full|fiscal|financial|business|trading|whole year => year
  calendar day => day`.trim().split('\n').map((line) => {
  const [, pattern = '', to = ''] = /^(.*) => (.*)$/.exec(line.trim()) ?? []
  return { pattern: new Pattern(pattern, new Map()), to: to.split(' ') }
})
const units = new Set(['hour', 'day', 'week', 'month', 'year'])

/** Brings units and fixed expressions into their normal form, so that phrases need to know only that one. */
export function readNormalForms (tokens: readonly Token[]): Token[] {
  return rewritten(inOneForm(rewritten(inOneForm(tokens))))
}

function inOneForm (tokens: readonly Token[]): Token[] {
  return tokens.map((token, index) => {
    if (token.kind !== 'word') return token
    const isAfterNumber = tokens[index - 1]?.kind === 'number'
    // In `2h 30m`, `m` means minutes.
    const isOfHour = token.key === 'm' && isAfterNumber && /^(?:h|hr|hrs|hours?)$/.test(tokens[index - 2]?.key ?? '')
    const key = isOfHour
      ? 'minute'
      : (isAfterNumber ? afterNumber.get(token.key) : undefined) ?? anywhere.get(token.key)
    return key === undefined ? token : { ...token, key }
  })
}

function rewritten (tokens: readonly Token[]): Token[] {
  const text: PatternText = {
    size: tokens.length,
    key: (at) => tokens[at]?.key ?? '',
    slot: (name, at) => {
      const token = tokens[at]
      const isOne = name === 'n' ? token?.kind === 'number' : units.has(token?.key ?? '')
      return isOne && token !== undefined ? { value: token.key, to: at + 1 } : undefined
    }
  }
  const read: Token[] = []
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] as Token
    const found = candidates(token).map(({ pattern, to }) => ({ to, match: pattern.matchAt(text, at) }))
      .find(({ match }) => match !== undefined && match.to > at)
    if (found?.match === undefined) {
      read.push(token)
      at++
      continue
    }
    const covered = tokens.slice(at, found.match.to)
    const { slots } = found.match
    found.to.forEach((form, index) => {
      const key = form === '$' ? slots.at(-1) as string : withNumber(form, slots[0] as string)
      // The parts stay with the first token, for names of columns.
      read.push({
        start: token.start,
        end: (covered.at(-1) as Token).end,
        kind: /^\d/.test(key)
          ? 'number'
          : 'word',
        key,
        parts: index === 0 ? covered.flatMap(({ parts }) => parts) : []
      })
    })
    at += covered.length
  }
  return read
}

const byFirst = new Map<string, typeof rewrites>()
for (const rewrite of rewrites) {
  for (const key of rewrite.pattern.first ??
    []) byFirst.set(key, [...byFirst.get(key) ?? [], rewrite])
}

function candidates ({ kind, key }: Token): typeof rewrites {
  return [...kind === 'number'
    ? byFirst.get('<n>') ?? []
    : [], ...byFirst.get(key) ?? [], ...units.has(key) ? byFirst.get('<unit>') ?? [] : []]
}

function withNumber (form: string, number: string): string {
  const match = /^#(?:([+*])([\d.]+))?$/.exec(form)
  if (match === null) return form
  const [, operator, operand] = match
  return operator === undefined
    ? number
    : String(operator === '+' ? Number(number) + Number(operand) : Number(number) * Number(operand))
}

function forms (list: string): ReadonlyMap<string, string> {
  return new Map(list.split(';').flatMap((entry): [string, string][] => {
    const [form = '', others = ''] = entry.split(': ')
    return others.trim().split(/\s+/).map((other) => [other, form.trim()])
  }))
}
