import { phrase, type PromptText } from '../text/prompt-text.ts'
import { addMonths, dayMs, timeText } from '../time/civil-time.ts'
import { unitPattern } from '../time/horizon-wish.ts'
import { readPeriod, type Period } from '../time/read-period.ts'
import type { Finding, Reading, Rule } from './rule.ts'

const past = phrase(
  '(?:(?:use|using|train|trained|training|fit|learn|look|based|base|considering|consider|only|just|take|with) ' +
    ')?(?:(?:only|just|on|at|from|to|with|the|data|history|over) ' +
    '){0,4}(?:last|past|previous|prior|preceding|trailing|most recent|latest|recent) (?:(?<number>\\d+(?:\\.\\d+)?) ' +
    `)?(?:full )?(?<unit>${unitPattern})(?: (?:of|worth) (?:~(?:data|history|records?|observations?|training))?)?`
)
const history = phrase(
  `(?:with|using|use|given|have|has|got|from|on)? ?(?<number>\\d+(?:\\.\\d+)?) (?<unit>${unitPattern}) (?:of|worth ` +
    `of) ~(?:data|history|records?|training)|(?<number2>\\d+(?:\\.\\d+)?) (?<unit2>${unitPattern}) (?:training ` +
    '(?:window|period)|history)'
)
const since = phrase('since|from|after|starting|starting from|starting in|starting with|beginning|beginning with')
const avoidBefore =
  / (?:ignore|ignoring|exclude|excluding|excl|drop|dropping|discard|discarding|skip|skipping|without|remove|removing|disregard|disregarding|dont use|dont consider|not use|not using|not|leave out|leaving out|cut|cut off|omit|omitting) (?:(?:the|all|any|data|history|everything|anything|records?|row|rows|value|values|observation|observations|that|is|are|from|of|which|lies|comes|come) ){0,6}$/
const before = phrase(
  '(?:(?:ignore|ignoring|exclude|excluding|drop|discard|skip|disregard) (?:[^ .]+ ' +
    '){1,5}?(?:everything|anything|all|data|rows) (?:before|prior to|older than|earlier ' +
    'than)|(?:ignore|ignoring|exclude|excluding|drop|discard|skip|without|remove|disregard|dont use|leave out|not) ' +
    '(?:~)?(?:data|history|everything|anything|records?|rows?|values?|observations?|all) ?(?:from|that is|of)? ' +
    '?(?:before|prior to|older than|earlier than|until|up to))'
)
const upTo = phrase(
  'until|up until|till|up to|through|thru|to|before|prior to|ending(?: (?:in|on|with|at))?|ends(?: ' +
    '(?:in|on|with|at))?|no later than'
)
const ofData =
  / (?:train|trained|training|data|history|fit|fitted|learn|learning|actuals|records|observations|rows|values) (?:(?:only|just|on|from|the|window|set|period|that|is|are) ){0,3}$/
const within = phrase(
  '(?:train|trained|training|fit|fitted|learn|learning|use|using)(?: (?:it|the ' +
    'model|models|only|just|data|rows|history|records)){0,3} (?:on|in|of|with|over|during)(?: ' +
    '(?:data|rows|history|records))?(?: (?:from|of|in))?'
)
const excludedAfter =
  /^ (?:(?:of|data|the|from|training|period|should|must|be|is|are|to|,) ){0,5}(?:excluded|left out|omitted|ignored|skipped|dropped|removed|held back|cut off|cut) /
/** Dates take their time, and nobody names as many. */
const maxWindows = 50
const secondsOf: Record<string, number> = {
  second: 1,
  minute: 60,
  quarterhour: 900,
  halfhour: 1800,
  hour: 3600,
  day: 86_400,
  businessday: 86_400,
  week: 604_800
}
const monthsOf: Record<string, number> = { month: 1, quarter: 3, year: 12 }

/**
 * `use the last 3 years`, `data since 2021`, `ignore everything before 2022`: rows to learn from, never how far to look
 * ahead.
 */
export const trainingWindowRule: Rule = (reading) => {
  const { text, end } = reading
  const findings: Finding[] = []
  for (const pattern of [past, history]) {
    for (const { from, to, groups } of text.find(pattern)) {
      const unit = groups['unit'] ?? groups['unit2']
      if (end === null || unit === undefined) continue
      const words = text.keys(from, to)
      const around = text.keys(from - 6, to + 6)
      // A story of last year, or a test, limits nothing.
      const isMeant = avoidBefore.test(text.keys(from - 9, from)) || excludedAfter.test(text.keys(to, to + 7)) ||
        / (?:use|using|train|trained|training|fit|learn|based|base|only|just|data|history|records?|observations?|consider|considering|take|look) /
          .test(words) ||
        / (?:train|training|use only|using|fit|learn|data|history) /.test(text.keys(from - 3, to + 3))
      if (/ (?:hold|held|holdout|test|testing|backtest|backtesting|validate|validation) /.test(around) || !isMeant) {
        findings.push({ field: 'none', value: null, from, to, weight: 0.7 })
        continue
      }
      const quantity = Number(groups['number'] ?? groups['number2'] ?? 1)
      const behind = excludedAfter.exec(text.keys(to, to + 7))
      const isLeftOut = avoidBefore.test(text.keys(from - 9, from)) || behind !== null
      const start = monthsOf[unit] === undefined
        ? new Date(end.getTime() - quantity * (secondsOf[unit] as number) * 1000)
        : addMonths(end, -Math.round(quantity * monthsOf[unit]))
      findings.push(
        filterOrConstraint(reading, isLeftOut ? 'lte' : 'gt', start, from,
          to + (behind === null ? 0 : behind[0].trim().split(' ').length))
      )
    }
  }
  for (const { from, to } of text.find(since)) {
    if (findings.length > maxWindows) break
    const period = end === null ? undefined : readPeriod(text, to, end)
    if (period === undefined || end === null || period.first.getTime() > end.getTime()) continue
    // `from April to June` is a horizon.
    if (text.key(from) === 'from' && /^(?:to|through|until|till|-)$/.test(text.key(period.to))) continue
    const isAfter = text.key(from) === 'after'
    // `ignore everything after March` keeps what comes before.
    const isCut = avoidBefore.test(text.keys(from - 9, from))
    if (isCut) {
      findings.push(
        filterOrConstraint(reading, isAfter ? 'lte' : 'lt', isAfter ? period.last : period.first, from, period.to)
      )
    } else {findings.push(
        filterOrConstraint(reading, isAfter ? 'gt' : 'gte', isAfter ? period.last : period.first, from, period.to)
      )}
  }
  for (const { from, to } of text.find(within)) {
    if (findings.length > maxWindows) break
    const period = end === null || avoidBefore.test(text.keys(from - 3, from)) ? undefined : readPast(text, to, end)
    if (period === undefined || end === null || period.first.getTime() > end.getTime()) continue
    findings.push(filterOrConstraint(reading, 'gte', period.first, from, period.to))
    // `data from 2024 onwards` has no end.
    const isOpen = /^(?:onwards?|on|forwards?|later)$/.test(text.key(period.to)) ||
      / (?:and|or) (?:later|after|onwards?|newer) /.test(text.keys(period.to, period.to + 2))
    if (!isOpen && period.last.getTime() < end.getTime()) findings[findings.length - 1] = between(reading, period, from)
  }
  for (const { from, to } of text.find(upTo)) {
    if (findings.length > maxWindows) break
    const lead = text.keys(from - 5, from)
    const period = end === null || !ofData.test(lead) || avoidBefore.test(lead) || / forecast \S* ?$/.test(lead)
      ? undefined
      : readPast(text, to, end)
    if (period === undefined || end === null || period.first.getTime() > end.getTime()) continue
    const isBefore = /^(?:before|prior)$/.test(text.key(from))
    findings.push(
      filterOrConstraint(reading, isBefore ? 'lt' : 'lte', isBefore ? period.first : period.last, from, period.to)
    )
  }
  for (const { from, to } of text.find(before)) {
    if (findings.length > maxWindows) break
    const period = end === null ? undefined : readPast(text, to, end)
    if (period !== undefined) findings.push(filterOrConstraint(reading, 'gte', period.first, from, period.to))
  }
  return findings
}

function between (reading: Reading, { first, last, to }: Period, from: number): Finding {
  const column = reading.data.roles.timestamp
  const value = `${timeText(first)},${timeText(last)}`
  return column === null
    ? { field: 'user_constraints', value: `history from ${value.replace(',', ' to ')}`, from, to, weight: 1 }
    : { field: 'filters', value: [{ column, op: 'between', value }], from, to, weight: 1 }
}

/** Without a year the last such period that the data have begun, not the next one. */
function readPast (text: PromptText, index: number, end: Date): Period | undefined {
  const period = readPeriod(text, index, end)
  return period === undefined || period.first.getTime() <= end.getTime()
    ? period
    : readPeriod(text, index, addMonths(end, -12)) ?? period
}

function filterOrConstraint ({ data }: Reading, op: 'gt' | 'gte' | 'lt' | 'lte', start: Date, from: number,
  to: number): Finding {
  const column = data.roles.timestamp
  const place = { from, to, weight: 1 }
  if (column !== null) return { field: 'filters', value: [{ column, op, value: timeText(start) }], ...place }
  if (op === 'lt' || op === 'lte') {
    return {
      field: 'user_constraints',
      value: `history to ${timeText(op === 'lt' ? new Date(start.getTime() - dayMs) : start)}`,
      ...place
    }
  }
  return {
    field: 'user_constraints',
    value: `history from ${timeText(op === 'gt' ? new Date(start.getTime() + dayMs) : start)}`,
    ...place
  }
}
