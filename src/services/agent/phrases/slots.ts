import type { ProfiledColumn } from '../../../domain/data-profile.ts'
import { mayBeTarget, mayExplain, mayGroup } from '../columns/column-roles.ts'
import { conceptsOf } from '../words/meanings.ts'
import { type NamedText, readColumns, readValues } from '../columns/lists.ts'
import { isName } from '../columns/mentions.ts'
import { isOfAnything } from '../columns/series-words.ts'
import { countryOf } from '../words/countries.ts'
import { wordsOfName } from '../../../platform/text/fold.ts'
import { addMonths } from '../../recommendations/time/civil-time.ts'
import { granularityByWord, type HorizonWish, type TimeUnit, timeUnits } from '../../recommendations/time/frequency.ts'
import { readClock } from '../time/read-clock.ts'
import { readPeriod, type Period } from '../time/read-period.ts'
import type { SlotValue } from './pattern.ts'

type SlotReader = (reading: NamedText, at: number) => SlotValue | undefined

const points = new Set('step period point interval observation reading row value bucket slot tick candle'.split(' '))
const units = new Set<string>(timeUnits)
const aliases: Record<string, string> = Object.fromEntries(
  'h=hour d=day b=businessday w=week m=month ms=month me=month q=quarter qs=quarter y=year a=year'.split(' ')
    .map((pair) => pair.split('='))
)
/** How many of the second unit are in the first, where people say both: `2 hours and 30 minutes`. */
const partsOf: Record<string, Record<string, number>> = {
  hour: { minute: 60 },
  day: { hour: 24 },
  week: { day: 7 },
  year: { month: 12, quarter: 4 },
  quarter: { month: 3 }
}
/** The concepts that series stand for in most files. */
const things = new Set(['place', 'product', 'sensor'])
const maxFollowing = 5
const countryWords = 3

const slots: Record<string, SlotReader> = {
  n: ({ text }, at) => isNumber(text.tokens[at]) ? { value: Number(text.key(at)), to: at + 1 } : undefined,
  signed: ({ text }, at) => {
    const sign = text.key(at) === '-' ? 1 : 0
    return isNumber(text.tokens[at + sign])
      ? { value: `${sign === 1 ? '-' : ''}${text.key(at + sign)}`, to: at + sign + 1 }
      : undefined
  },
  unit: ({ text }, at) => word(units.has(text.key(at)), text.key(at), at),
  units: ({ text }, at) => word(units.has(text.key(at)) && /s$/i.test(text.source(at, at + 1)), text.key(at), at),
  plural: ({ text }, at) => /[^'’]s$/i.test(text.source(at - 1, at)) ? { value: null, to: at } : undefined,
  doing: ({ text }, at) => word(/(?:ing|ed)$/.test(text.key(at)), null, at),
  adjective: ({ text }, at) =>
    word(/ly$|^annual$/.test(text.key(at)) && granularityByWord[text.key(at)] !== undefined, text.key(at), at),
  alias: ({ text }, at) => word(aliases[text.key(at)] !== undefined, aliases[text.key(at)], at),
  quarter: ({ text }, at) => word(/^q[1-4]$/.test(text.key(at)), text.key(at), at),
  quantile: ({ text }, at) =>
    word(/^(?:p\d{1,2}|median)$/.test(text.key(at)), text.key(at) === 'median'
      ? 0.5
      : Number(text.key(at).slice(1)) / 100, at),
  length: readLength,
  when: ({ text, end }, at) => end === null ? undefined : ofPeriod(readPeriod(text, at, end)),
  until: ({ text, end }, at) =>
    end === null
      ? undefined
      : ofPeriod(withFollowing(text, readPeriod(text, at, end), end)),
  ahead: ({ text, end }, at) => {
    if (end === null ||
      /^(?:next|following|this|current)$/.test(text.key(text.key(at) === 'the' ? at + 1 : at))) return undefined
    const period = readPeriod(text, at, end)
    return period === undefined ||
        period.last.getTime() <= end.getTime()
      ? undefined
      : ofPeriod(withFollowing(text, period, end))
  },
  past: ({ text, end }, at) => {
    const period = end === null ? undefined : readPeriod(text, at, end)
    if (end === null || period === undefined || period.first.getTime() <= end.getTime()) return ofPeriod(period)
    // Without a year, this is the last such period that has begun within the data, not the next one.
    const before = readPeriod(text, at, addMonths(end, -12))
    return before !== undefined && before.first.getTime() <= end.getTime() ? ofPeriod(before) : undefined
  },
  clock: ({ text }, at) => {
    const clock = readClock(text, at)
    return clock === undefined ? undefined : { value: clock.minutes, to: clock.to }
  },
  time: (reading, at) =>
    readColumns(reading, at, 'times',
      ({ name, kind }) => kind === 'timestamp' || name === reading.data.roles.timestamp),
  groups: (reading, at) => readColumns(reading, at, 'groups', mayGroup),
  targets: (reading, at) => readColumns(reading, at, 'targets', mayBeTarget),
  drivers: (reading, at) => readColumns(reading, at, 'drivers', (column) => mayExplain(column, reading.data)),
  named: (reading, at) => readNamed(reading, at),
  values: readValues,
  measure: (reading, at) => mentioned(reading, at, ({ kind }) => kind === 'number' || kind === 'boolean'),
  mark: (reading, at) =>
    mentioned(reading, at, ({ kind, distinct }) => kind === 'boolean' || (kind === 'number' && distinct <= 2)),
  series: (reading, at) => mentioned(reading, at, ({ kind }) => kind === 'text'),
  known: ({ mentionAt }, at) => mentionAt.has(at) ? { value: null, to: at + 1 } : undefined,
  serieses: (reading, at) => {
    const found = mentioned(reading, at, ({ kind }) => kind === 'text')
    // Only a plural can be added up.
    return found !== undefined && /s$/i.test(reading.text.source(at, found.to)) ? found : undefined
  },
  thing: ({ data, text, mentionAt, valueAt }, at) => {
    const column = data.columns.find(({ name }) => name === data.roles.itemId)
    const said = text.tokens[at]?.parts.at(-1)
    if (column === undefined || said === undefined || !isOfAnything(column.name) || mentionAt.has(at) ||
      valueAt.has(at)) return undefined
    const isOfIds = column.values.some((value) => wordsOfName(value).includes(said))
    return word(isOfIds || conceptsOf(said).some((concept) => things.has(concept)), column.name, at)
  },
  topic: ({ text }, at) => {
    const to = /^(?:weather|holidays?|inflation)$/.test(text.key(at)) ? at + 1 : at + 2
    return { value: text.keys(at, to).trim(), to }
  },
  country: ({ text }, at) => {
    for (let words = countryWords; words > 0; words--) {
      const name = text.source(at, at + words)
      // Two letters are a country code only in capitals; else they are an ordinary word.
      const code = name.length > 2 || /^\p{Lu}{2}$/u.test(name) ? countryOf(name) : undefined
      if (code !== undefined) return { value: code, to: at + words }
    }
    return undefined
  },
  unknown: (reading, index) => {
    const { text } = reading
    const at = /^["']$/.test(text.key(index)) ? index + 1 : index
    if (text.tokens[at]?.kind !== 'word' || reading.mentionAt.has(at) || reading.valueAt.has(at)) return undefined
    const source = text.source(at, at + 1)
    // The word is in quotation marks, or written in a way that only names of columns are.
    const isWritten = /\w_\w|__|\p{Ll}\p{Lu}/u.test(source) || (at > index && isName(text, at, at + 1))
    return word(isWritten, source.slice(0, 60), at)
  }
}

export function readSlot (reading: NamedText, name: string, at: number): SlotValue | undefined {
  const read = slots[name]
  if (read === undefined) throw new Error(`there is no slot <${name}>`)
  return read(reading, at)
}

const ofColumns = new Set(['time', 'groups', 'targets', 'drivers', 'named', 'measure', 'mark', 'series', 'serieses']
  .map((name) => `<${name}>`))

/** Whether the slot may begin at the token, by a quick check. */
export function mayBeginSlot (reading: NamedText, slot: string, at: number): boolean {
  if (ofColumns.has(slot)) return reading.mentionAt.has(at)
  if (slot === '<n>' || slot === '<length>' || slot === '<signed>') {
    return reading.text.tokens[at]?.kind === 'number' ||
      reading.key(at) === '-'
  }
  if (slot === '<values>') return reading.valueAt.has(at)
  if (slot === '<country>') return /^\p{Lu}/u.test(reading.text.source(at, at + 1))
  return true
}

function isNumber (token: { kind: string } | undefined): boolean {
  return token?.kind === 'number'
}

function word (isOne: boolean, value: unknown, at: number): SlotValue | undefined {
  return isOne ? { value, to: at + 1 } : undefined
}

function ofPeriod (period: Period | undefined): SlotValue | undefined {
  return period === undefined ? undefined : { value: period, to: period.to }
}

/** Extends a period by those listed after it: `november and december` end with December. */
function withFollowing (text: NamedText['text'], period: Period | undefined, end: Date): Period | undefined {
  let last = period
  for (let count = 0; last !== undefined && count < maxFollowing &&
    /^(?:and|,|\/|-|to|through|until)$/.test(text.key(last.to)); count++) {
    const next = readPeriod(text, text.key(last.to + 1) === 'and' ? last.to + 2 : last.to + 1, end)
    if (next === undefined || next.last.getTime() <= last.last.getTime()) break
    last = next
  }
  return last
}

function isDriver ({ data }: NamedText): (column: ProfiledColumn) => boolean {
  return (column) => mayExplain(column, data) && column.name !== data.roles.target && !column.isStatic
}

/** Reads the columns that a statement is about: both of `price and promo`, but only the last of `calls, promo`. */
function readNamed (reading: NamedText, at: number): SlotValue | undefined {
  const list = readColumns(reading, at, 'likely drivers', isDriver(reading), ({ likeness }) => likeness !== 'fuzzy')
  if (list === undefined) return undefined
  // `School holidays (Ferientag) are known`
  const to = reading.key(list.to) === ')' ? list.to + 1 : list.to
  return list.value.length === 1 || / (?:and|or) /.test(reading.text.keys(at, list.to)) ? { ...list, to } : undefined
}

function mentioned ({ mentionAt }: NamedText, at: number, fits: (column: ProfiledColumn) => boolean):
  | SlotValue
  | undefined {
  const mention = mentionAt.get(at)
  const column = mention?.columns.find(fits)
  return mention === undefined || column === undefined ? undefined : { value: column, to: mention.to }
}

/** Reads lengths: `6 weeks`, `48 steps`, `2 hours and 30 minutes`. */
function readLength ({ text }: NamedText, at: number): SlotValue | undefined {
  const quantity = isNumber(text.tokens[at]) ? Number(text.key(at)) : NaN
  if (!(quantity > 0)) return undefined
  const first = /^(?:more|further|full|additional|consecutive)$/.test(text.key(at + 1)) ? at + 2 : at + 1
  const place = granularityByWord[text.key(first)] !== undefined && units.has(text.key(first + 1)) ? first + 1 : first
  const unit = text.key(place)
  if (points.has(unit)) return { value: { kind: 'steps', quantity }, to: place + 1 }
  if (!units.has(unit)) return undefined
  const next = text.key(place + 1) === 'and' ? place + 2 : place + 1
  const parts = isNumber(text.tokens[next]) ? partsOf[unit]?.[text.key(next + 1)] : undefined
  const value: HorizonWish = parts === undefined
    ? { kind: 'duration', quantity, unit: unit as TimeUnit }
    : { kind: 'duration', quantity: quantity * parts + Number(text.key(next)), unit: text.key(next + 1) as TimeUnit }
  return { value, to: parts === undefined ? place + 1 : next + 2 }
}
