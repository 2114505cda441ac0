import type { PromptText } from '../text/tokens.ts'

/** A time of day in minutes after midnight, and the token after it. */
export interface ClockTime {
  minutes: number
  to: number
}

const named: Record<string, number> = { noon: 720, midday: 720, midnight: 1440 }
const pattern =
  /^ (?:(?:at|around|,|@|-) ){0,2}(?:(?<hour>\d{1,2})(?: : (?<minute>\d{1,2})(?: : \d{1,2})?)?(?: (?<half>am|pm|a \. m(?: \.)?|p \. m(?: \.)?|o'clock))?|(?<name>noon|midday|midnight)) /

const mayBegin = /^(?:at|around|,|@|-|\d{1,2}|noon|midday|midnight)$/

/** Reads `09:00`, `6 pm` or `noon`. A number counts only if its form shows that it is a time. */
export function readClock (text: PromptText, index: number): ClockTime | undefined {
  // A quick check, because most words do not begin a time.
  if (!mayBegin.test(text.key(index))) return undefined
  const match = pattern.exec(text.keys(index, index + 10))
  if (match === null) return undefined
  const { hour, minute, half, name } = match.groups as Partial<Record<string, string>>
  const to = index + match[0].trim().split(' ').length
  if (name !== undefined) return { minutes: named[name] as number, to }
  if (minute === undefined && half === undefined) return undefined
  const [hours, minutes] = [Number(hour), Number(minute ?? 0)]
  if (hours > 24 || minutes > 59) return undefined
  const isPm = half?.startsWith('p') === true
  const isAm = half?.startsWith('a') === true
  return { minutes: ((isPm || isAm) ? hours % 12 + (isPm ? 12 : 0) : hours) * 60 + minutes, to }
}
