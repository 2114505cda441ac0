import { phrase, type PromptText } from '../text/prompt-text.ts'
import { unitPattern, type HorizonWish, type TimeUnit } from '../time/horizon-wish.ts'
import type { Finding, Rule } from './rule.ts'

const step = 'step|period|point|interval|observation|reading|row|value|bucket|slot|tick|candle'
const length = phrase(
  '(?:(?<number>\\d+(?:\\.\\d+)?)|(?<one>a|an|next|coming|following|upcoming)) ' +
    '(?:(?:more|further|full|additional|consecutive|(?<adjective>minutely|hourly|halfhourly|quarterhourly|daily|weekly|monthly|quarterly|yearly)) ' +
    `)?(?:(?<unit>${unitPattern})(?: (?<ofUnit>${step}|forecast step))?|(?<step>${step}))`
)
const bare = phrase(
  '(?:forecast |prediction |projection |planning |time )?(?:horizon|forecast length|prediction length|n ' +
    'periods|steps|step(?= (?:=|:) ))(?: ' +
    '(?:of|is|=|:|to|should|must|shall|needs|has|would|will|be|set|as|at|about|a)){0,4} (?<number>\\d+(?:\\.\\d+)?)'
)
/** `h=8`, as programs have it. */
const assigned = phrase(
  '(?:h|fh|steps ahead|prediction_length|forecast_horizon|n_ahead) (?:=|:) (?<number>[1-9]\\d{0,4})'
)
const unitAhead = phrase(`(?<unit>${unitPattern}) ahead`)
const tomorrow = phrase('(?<after>(?:the )?day after )?tomorrow')

/** What stands before a length that is the past, a test, a rhythm or a lag. */
const notAhead =
  / (?:last|past|previous|prior|preceding|trailing|recent|latest|earlier|every|each|per|lag|lags|rolling|moving|since|first|ago|backtest|backtesting|holdout|held|hold|withhold|validate|validation|between|season|seasonality|cycle|mean of|average|history|old) (?:(?:out|on|over|of|the|full|with|about|for|length|data|set) ){0,3}$/
const notAheadAfter =
  /^ (?:full )?(?:(?:now )?(?:we've|i've|they've|it's|(?:we|i|they|it|he|she|you) (?:have|has|had)) (?:been|had|seen|run|kept|lived|worked|struggled|tried|done|sold|not|never|always)|now (?:,|\.|and|we|i|it)|of (?:\S+ ){0,2}(?:data|history|histories|record|records|training)|history|worth of (?:data|history)|(?:of )?(?:lag|lags|rolling|moving|average|lookback|look back|season|seasons|seasonality|cycle|cycles|pattern|rhythm|ago|old|back|before|earlier|granularity|resolution|frequency|grain|aggregation|sampling|sla|readings? every)) /
/** A rolling outlook is renewed, a rolling mean is of the past. */
const rolling = / (?:rolling|moving) $/
const rollingView = /^ (?:outlook|forecast|plan|view|horizon|projection|look|budget) /
const rhythmBefore = / (?:by|per|every|each|at|in|on) $/
const aheadBefore =
  / (?:next|coming|following|upcoming|subsequent|forthcoming) (?:(?:the|about|around|roughly|approximately|say|full) ){0,2}$/
const horizonBefore =
  / (?:horizon|ahead|forecast length|length|look ahead|lead time|outlook|forecast window|forecast period)(?: (?:of|is|=|:|to|should|must|shall|needs|has|would|will|be|set|as|at|about|around)){0,4} $/
const forBefore =
  / (?:for|over|within|in|during|across|covering|of|cover|spanning|up to|to) (?:(?:the|about|around|roughly|approximately|a|period of|total of|next|say) ){0,3}$/
const forecastBefore = / (?:forecast|predict|prediction|project|estimate|extrapolate)(?: \S+){0,4} $/
const aheadAfter =
  /^ (?:ahead|out|forward|horizon|outlook|window|view|look|run|plan|span|stretch|runway|picture|timeframe|time frame|hence|onwards?|forecast|prediction|projection|lookahead|later|from now|from today|from here|into the future|in the future|in advance|to come|down the road|down the line|look ahead|of (?:\S+ ){0,4}(?:forecast|prediction|projection|outlook|estimate)) /

/**
 * `next 6 week`, `48 halfhour ahead`, `12 month outlook`, `horizon of 30`; nothing of `last 3 year`, which is the past.
 */
export const durationRule: Rule = ({ text }) => {
  const findings: Finding[] = []
  for (const { from, to, groups } of text.find(length)) {
    const before = text.keys(from - 5, from)
    const after = text.keys(to, to + 7)
    const { number, one, unit, ofUnit } = groups
    const isAhead = aheadBefore.test(before) || ['next', 'coming', 'following', 'upcoming'].includes(one ?? '')
    if (!isAhead && !(rolling.test(before) && rollingView.test(after)) &&
      (notAhead.test(before) || notAheadAfter.test(after))) continue
    if (one !== undefined && number === undefined) {
      // `a week` is a length where something says so; `next step` is none.
      if (unit === undefined) continue
      // `the coming weeks` are some.
      if (/[^'’]s$/i.test(text.source(to - 1, to)) && ofUnit === undefined) continue
      if (!isAhead && !aheadAfter.test(after) && restOfLength(text, to, unit) === undefined &&
        !(forBefore.test(before) && !rhythmBefore.test(before))) continue
    }
    // `this next week's data`; and `15 minute intervals` are how long a step is, not how many there are.
    if (number !== undefined && !isAhead && /^(?:interval|bucket|step|reading)$/.test(ofUnit ?? '') &&
      /^(?:minute|hour|day|week)$/.test(unit ?? '') && !aheadAfter.test(after)) continue
    const quantity = Number(number ?? 1)
    if (!(quantity > 0)) continue
    if (unit !== undefined && isRestOfLength(text, from)) continue
    const rest = unit === undefined ? undefined : restOfLength(text, to, unit)
    const value: HorizonWish = unit === undefined
      ? { kind: 'steps', quantity }
      : rest === undefined
      ? { kind: 'duration', quantity, unit: unit as TimeUnit }
      : { kind: 'duration', quantity: quantity * rest.parts + rest.quantity, unit: rest.unit }
    const start = aheadBefore.test(before) ? leadStart(text.key(from - 1), from) : from
    const weight = isAhead || horizonBefore.test(before) || aheadAfter.test(after)
      ? 1
      : forBefore.test(before)
      ? 0.85
      : forecastBefore.test(before)
      ? 0.75
      : 0.6
    // `6 to 8 weeks` are two lengths.
    const least = number === undefined || unit === undefined
      ? null
      : / (?<least>\d+) (?:-|to|or) $/.exec(text.keys(from - 2, from))
    if (least !== null && Number(least.groups?.['least']) < quantity) {
      findings.push({
        field: 'horizon',
        value: { kind: 'duration', quantity: Number(least.groups?.['least']), unit: unit as TimeUnit },
        from: from - 2,
        to: from - 1,
        weight
      })
    }
    // The adjective of `24 hourly steps` is for the granularity.
    const isSteps = groups['adjective'] !== undefined && groups['step'] !== undefined
    findings.push({
      field: 'horizon',
      value,
      from: start,
      to: isSteps ? from + 1 : rest !== undefined ? rest.to : aheadAfter.test(after) ? to + 1 : to,
      weight: isSteps ? Math.max(weight, 0.8) : weight
    })
  }
  for (const { from, to, groups } of text.find(bare)) {
    const quantity = Number(groups['number'])
    // With a unit behind it the length above has it.
    if (quantity > 0 && quantity <= 100_000 && !text.tokens.slice(to, to + 1).some(({ key }) => isUnit(key))) {
      findings.push({ field: 'horizon', value: { kind: 'steps', quantity }, from, to, weight: 1 })
    }
  }
  for (const { from, to, groups } of text.find(assigned)) {
    findings.push({
      field: 'horizon',
      value: { kind: 'steps', quantity: Number(groups['number']) },
      from,
      to,
      weight: 1
    })
  }
  for (const { from, to, groups } of text.find(unitAhead)) {
    // `day ahead`; with a number before it the length above has it.
    if (text.tokens[from - 1]?.kind !== 'number') {
      findings.push({
        field: 'horizon',
        value: { kind: 'duration', quantity: 1, unit: groups['unit'] as TimeUnit },
        from,
        to,
        weight: 0.9
      })
    }
  }
  for (const { from, to, groups } of text.find(tomorrow)) {
    // `from tomorrow to the end of the month` begins with it.
    if (/ (?:from|starting|beginning|as of) $/.test(text.keys(from - 2, from))) continue
    // `for tomorrow's shift` says what for, where a length says how far.
    findings.push({
      field: 'horizon',
      value: { kind: 'duration', quantity: groups['after'] === undefined ? 1 : 2, unit: 'day' },
      from,
      to,
      weight: /['’]s$/.test(text.source(from, to)) ? 0.65 : 0.9
    })
  }
  return findings
}

/** How many of the second unit are in the first, where people say both: `2 hours and 30 minutes`. */
const partsOf: Record<string, Record<string, number>> = {
  hour: { minute: 60 },
  day: { hour: 24 },
  week: { day: 7 },
  year: { month: 12, quarter: 4 },
  quarter: { month: 3 }
}
const secondLength = new RegExp(`^ (?:and )?(?<number>\\d+) (?<unit>${unitPattern}) `)

/** The second of two lengths that are one. */
function restOfLength (text: PromptText, at: number, unit: string): { quantity: number, unit: TimeUnit, parts: number,
  to: number } | undefined {
  const match = secondLength.exec(text.keys(at, at + 4))
  const parts = partsOf[unit]?.[match?.groups?.['unit'] ?? '']
  return match === null || parts === undefined
    ? undefined
    : {
      quantity: Number(match.groups?.['number']),
      unit: match.groups?.['unit'] as TimeUnit,
      parts,
      to: at + match[0].trim().split(' ').length
    }
}

function isRestOfLength (text: PromptText, from: number): boolean {
  const before = text.key(from - 1) === 'and' ? from - 1 : from
  return (text.tokens[before - 2]?.kind === 'number' || /^(?:an?|one)$/.test(text.key(before - 2))) &&
    restOfLength(text, before, text.key(before - 1))?.to === from + 2
}

const units = new Set([...unitPattern.split('|'), ...step.split('|')])

function isUnit (key: string): boolean {
  return units.has(key)
}

function leadStart (key: string, from: number): number {
  return /^(?:next|coming|following|upcoming|subsequent|forthcoming)$/.test(key) ? from - 1 : from
}
