import { Type, type Static } from 'typebox'
import { utcOf, civilOf } from './alignment/civil-time.ts'
import { answerOf } from './answer-of.ts'
import type { KeyOf } from './covariate-key.ts'
import { InvalidAnswer } from './http/invalid-answer.ts'
import { jsonReader } from './http/read-json.ts'
import type { Source } from './http/source.ts'
import { observationsOf } from './observations.ts'
import { ProviderError } from './provider-error.ts'
import type { CovariateAnswer, CovariateRequest, Provider } from './provider.ts'
import type { PublicationLag } from './publication-lag.ts'

const dayMs = 86_400_000
const zone = 'Europe/Helsinki'
/** Every day is a request. */
const maxDays = 1100
/** Timetables are published about this far ahead; later days are empty. */
const aheadMs = 60 * dayMs

/** Names of days and trains are those of the API; fields without a value are left out. */
const trains = Type.Array(Type.Object({
  trainNumber: Type.Integer(),
  departureDate: Type.String(),
  commuterLineID: Type.Optional(Type.String()),
  cancelled: Type.Boolean(),
  timetableAcceptanceDate: Type.Optional(Type.String()),
  timeTableRows: Type.Array(Type.Object({
    type: Type.String(),
    cancelled: Type.Boolean(),
    differenceInMinutes: Type.Optional(Type.Number())
  }))
}))
const read = jsonReader(trains)
type Train = Static<typeof trains>[number]

interface Day {
  departures: number
  cancelledShare: number | null
  delayMinutes: number | null
  acceptedAtMs: number
}

type Column = (days: readonly Day[]) => { values: Array<number | null>, publishedAtMs?: number[] }

const columns: Readonly<Record<string, Column>> = {
  planned_departures: (days) => ({
    values: days.map(({ departures }) => departures),
    publishedAtMs: days.map(({ acceptedAtMs }) => acceptedAtMs)
  }),
  cancelled_share: (days) => ({ values: days.map(({ cancelledShare }) => cancelledShare) }),
  mean_delay_minutes: (days) => ({ values: days.map(({ delayMinutes }) => delayMinutes) })
}

/**
 * Finnish trains by day, from Fintraffic's Digitraffic: departures in the timetable, the share of them that was
 * cancelled, and the mean delay in minutes of those that ran. Days are those of Helsinki. A day's timetable counts as
 * published when the last train of the line was accepted into it; shares and delays are known after the day.
 */
export function digitraffic (
  { id, source, lagOf, now = Date.now }: { id: string, source: Source, lagOf: (variable: string) => PublicationLag,
    now?: () => number }
): Provider {
  const covers = (key: object) => isLine((key as KeyOf['transport']).line)
  return {
    id,
    kind: 'transport',
    transport: 'http',
    attribution: 'Fintraffic / digitraffic.fi, CC BY 4.0',
    covers,
    lagOf,
    fetch
  }

  async function fetch (request: CovariateRequest): Promise<CovariateAnswer> {
    const { line } = request.key as KeyOf['transport']
    if (!isLine(line)) {
      throw new ProviderError(id, 'NOT_FOUND', { detail: 'a line is a letter, or the number of a train' })
    }
    const endMs = Math.min(request.endMs, now() + aheadMs)
    const first = Math.floor(civilOf(request.startMs, zone) / dayMs) * dayMs
    if ((endMs - first) / dayMs > maxDays) throw new ProviderError(id, 'RANGE_TOO_LONG')
    const validTimeMs: number[] = []
    const days: Day[] = []
    for (let civilMs = first; utcOf(civilMs, zone) < endMs; civilMs += dayMs) {
      const day = await fetchDay(civilMs, line, request.signal)
      if (day === null) continue
      validTimeMs.push(utcOf(civilMs, zone))
      days.push(day)
    }
    const observations = request.variables.flatMap((variable) => {
      const column = columns[variable]
      return column === undefined ? [] : [observationsOf(variable, 'P1D', { validTimeMs, ...column(days) }, request)]
    })
    return answerOf(observations, 'the provider has no trains of this line in this range')
  }

  /** null: the line had no trains on that day. */
  async function fetchDay (civilMs: number, line: string, signal: AbortSignal): Promise<Day | null> {
    const date = new Date(civilMs).toISOString().slice(0, 10)
    const isNumber = /^\d+$/.test(line)
    const isPast = utcOf(civilMs + 2 * dayMs, zone) < now()
    const { value } = await source.get({
      path: `/api/v1/trains/${date}${isNumber ? `/${line}` : ''}`,
      parameters: {},
      accepts: ['application/json'],
      ttlMs: isPast ? 7 * dayMs : dayMs / 24,
      // A day's trains take many megabytes, but only a few numbers per line are kept.
      cachedBytes: 5_000,
      read: (body) =>
        daysByLine(read(body).filter(({ departureDate }) => departureDate === date),
          ({ commuterLineID, trainNumber }) => isNumber ? String(trainNumber) : commuterLineID),
      signal
    })
    return value.get(line) ?? null
  }
}

function isLine (line: string): boolean {
  return /^(?:\d{1,5}|[A-Z]{1,2})$/.test(line)
}

function daysByLine (all: Train[], lineOf: (train: Train) => string | undefined): Map<string, Day> {
  const lines = new Map<string, Train[]>()
  for (const train of all) {
    const line = lineOf(train)
    if (line === undefined) continue
    const trains = lines.get(line)
    if (trains === undefined) lines.set(line, [train])
    else trains.push(train)
  }
  return new Map([...lines].map(([line, trains]) => [line, dayOf(trains)]))
}

function dayOf (all: readonly Train[]): Day {
  const rows = all.flatMap((train) =>
    train.timeTableRows.filter(({ type }) => type === 'DEPARTURE').map((row) => ({
      ...row,
      cancelled: row.cancelled || train.cancelled
    }))
  )
  const ran = rows.filter((row) => !row.cancelled && row.differenceInMinutes !== undefined)
  const delay = ran.reduce((sum, row) => sum + (row.differenceInMinutes as number), 0)
  return {
    departures: rows.length,
    cancelledShare: rows.length === 0 ? null : rows.filter(({ cancelled }) => cancelled).length / rows.length,
    delayMinutes: ran.length === 0 ? null : delay / ran.length,
    acceptedAtMs: all.reduce(
      (latest, { timetableAcceptanceDate: date }) => Math.max(latest, date === undefined ? NaN : timeOf(date)),
      -Infinity
    )
  }
}

function timeOf (text: string): number {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw new InvalidAnswer('a time is not in the documented form')
  return ms
}
