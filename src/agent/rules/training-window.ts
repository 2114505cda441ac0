import { phrase } from '../text/prompt-text.ts'
import { addMonths, dayMs, timeText } from '../time/civil-time.ts'
import { readPeriod } from '../time/read-period.ts'
import { unitPattern } from '../time/horizon-wish.ts'
import type { Finding, Reading, Rule } from './rule.ts'

const past = phrase(`(?:(?:use|using|train|trained|training|fit|learn|look|based|base|considering|consider|only|just|take|with) )?(?:(?:only|just|on|at|from|to|with|the|data|history|over) ){0,4}(?:last|past|previous|prior|preceding|trailing|most recent|latest|recent) (?:(?<number>\\d+(?:\\.\\d+)?) )?(?:full )?(?<unit>${unitPattern})(?: (?:of|worth) (?:~(?:data|history|records?|observations?|training))?)?`)
const history = phrase(`(?:with|using|use|given|have|has|got|from|on)? ?(?<number>\\d+(?:\\.\\d+)?) (?<unit>${unitPattern}) (?:of|worth of) ~(?:data|history|records?|training)|(?<number2>\\d+(?:\\.\\d+)?) (?<unit2>${unitPattern}) (?:training (?:window|period)|history)`)
const since = phrase('since|from|after|starting|starting from|starting in|starting with|beginning|beginning with')
const before = phrase('(?:ignore|ignoring|exclude|excluding|drop|discard|skip|without|remove|disregard|dont use|leave out|not) (?:~)?(?:data|history|everything|anything|records?|rows?|values?|observations?|all) ?(?:from|that is|of)? ?(?:before|prior to|older than|earlier than|until|up to)')
/** Dates take their time, and nobody names as many. */
const maxWindows = 50
const secondsOf: Record<string, number> = { second: 1, minute: 60, quarterhour: 900, halfhour: 1800, hour: 3600, day: 86_400, businessday: 86_400, week: 604_800 }
const monthsOf: Record<string, number> = { month: 1, quarter: 3, year: 12 }

/** `use the last 3 years`, `data since 2021`, `ignore everything before 2022`: rows to learn from, never how far to look ahead. */
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
      const isMeant = / (?:use|using|train|trained|training|fit|learn|based|base|only|just|data|history|records?|observations?|consider|considering|take|look) /.test(words) || / (?:train|training|use only|using|fit|learn|data|history) /.test(text.keys(from - 3, to + 3))
      if (/ (?:hold|held|holdout|test|testing|backtest|backtesting|validate|validation) /.test(around) || !isMeant) {
        findings.push({ field: 'none', value: null, from, to, weight: 0.7 })
        continue
      }
      const quantity = Number(groups['number'] ?? groups['number2'] ?? 1)
      const start = monthsOf[unit] === undefined ? new Date(end.getTime() - quantity * (secondsOf[unit] as number) * 1000) : addMonths(end, -Math.round(quantity * monthsOf[unit]))
      findings.push(filterOrConstraint(reading, 'gt', start, from, to))
    }
  }
  for (const { from, to } of text.find(since)) {
    if (findings.length > maxWindows) break
    const period = end === null ? undefined : readPeriod(text, to, end)
    if (period === undefined || end === null || period.first.getTime() > end.getTime()) continue
    // `from April to June` is a horizon.
    if (text.key(from) === 'from' && /^(?:to|through|until|till|-)$/.test(text.key(period.to))) continue
    const isAfter = text.key(from) === 'after'
    findings.push(filterOrConstraint(reading, isAfter ? 'gt' : 'gte', isAfter ? period.last : period.first, from, period.to))
  }
  for (const { from, to } of text.find(before)) {
    if (findings.length > maxWindows) break
    const period = end === null ? undefined : readPeriod(text, to, end)
    if (period !== undefined) findings.push(filterOrConstraint(reading, 'gte', period.first, from, period.to))
  }
  return findings
}

function filterOrConstraint ({ data }: Reading, op: 'gt' | 'gte', start: Date, from: number, to: number): Finding {
  const column = data.roles.timestamp
  const place = { from, to, weight: 1 }
  if (column !== null) return { field: 'filters', value: [{ column, op, value: timeText(start) }], ...place }
  return { field: 'user_constraints', value: `history from ${timeText(op === 'gt' ? new Date(start.getTime() + dayMs) : start)}`, ...place }
}
