import type { Place } from '../covariate-key.ts'
import type { Answered } from '../http/answer-cache.ts'
import type { Source } from '../http/source.ts'
import { openMeteoRefusal, readHourly, type HourlyAnswer } from './hourly-answer.ts'

export interface HourlyRequest {
  place: Place
  variables: readonly string[]
  startMs: number
  endMs: number
  ttlMs: number
  signal: AbortSignal
}

/** Whole days in UTC, so that requests of the same day have the same address. */
export async function requestHourly (source: Source, path: string,
  { startMs, endMs, ...what }: HourlyRequest): Promise<Answered<HourlyAnswer>> {
  return await request(source, path, { start_date: isoDate(startMs), end_date: isoDate(endMs - 1) }, what)
}

/** The whole forecast of one run of the weather model. */
export async function requestRun (source: Source, runMs: number, days: number,
  what: Omit<HourlyRequest, 'startMs' | 'endMs'>): Promise<Answered<HourlyAnswer>> {
  return await request(source, '/v1/forecast', {
    run: new Date(runMs).toISOString().slice(0, 16),
    forecast_days: String(days)
  }, what)
}

async function request (
  source: Source,
  path: string,
  when: Record<string, string>,
  { place, variables, ttlMs, signal }: Omit<HourlyRequest, 'startMs' | 'endMs'>
): Promise<Answered<HourlyAnswer>> {
  return await source.get({
    path,
    parameters: {
      latitude: place.latitude.toFixed(4),
      longitude: place.longitude.toFixed(4),
      hourly: variables.join(','),
      ...when,
      timeformat: 'unixtime'
    },
    accepts: ['application/json'],
    ttlMs,
    read: readHourly,
    refusal: openMeteoRefusal(source.id),
    signal
  })
}

function isoDate (utcMs: number): string {
  return new Date(utcMs).toISOString().slice(0, 10)
}
