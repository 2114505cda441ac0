import { Type } from 'typebox'
import { InvalidAnswer } from '../http/invalid-answer.ts'
import { jsonReader } from '../http/read-json.ts'
import { ProviderError } from '../provider-error.ts'

/**
 * Forecast, archive, previous runs and air quality answer in the same form. Fields that are not read are not checked.
 */
const read = jsonReader(Type.Object({
  utc_offset_seconds: Type.Integer(),
  hourly: Type.Intersect([
    Type.Object({ time: Type.Array(Type.Integer()) }),
    Type.Record(Type.String(), Type.Array(Type.Union([Type.Number(), Type.Null()])))
  ])
}))

export interface HourlyAnswer {
  timeMs: Float64Array
  /** By the requested names; a name that the model does not have is absent, or all null. */
  columns: Map<string, Array<number | null>>
}

/** Requests use timeformat=unixtime and no timezone, so times are seconds UTC. Throws InvalidAnswer. */
export function readHourly (body: Buffer): HourlyAnswer {
  const { utc_offset_seconds: offset, hourly } = read(body)
  if (offset !== 0) throw new InvalidAnswer('utc_offset_seconds is not 0')
  const { time, ...variables } = hourly as { time: number[] } & Record<string, Array<number | null>>
  for (let row = 1; row < time.length; row++) {
    if ((time[row] as number) <= (time[row - 1] as number)) throw new InvalidAnswer('the times do not rise')
  }
  const columns = new Map(Object.entries(variables))
  for (const [name, values] of columns) {
    if (values.length !== time.length) throw new InvalidAnswer(`${name.slice(0, 60)} and time differ in length`)
  }
  return { timeMs: Float64Array.from(time, (seconds) => seconds * 1000), columns }
}

const readRefusal = jsonReader(Type.Object({ error: Type.Literal(true), reason: Type.String() }))

/** 400 with {error: true, reason}: this endpoint does not have the variable, date or location, or refuses the key. */
export function openMeteoRefusal (id: string): (status: number, body: Buffer) => ProviderError | undefined {
  return (status, body) => {
    if (status !== 400) return undefined
    let reason: string
    try {
      ;({ reason } = readRefusal(body))
    } catch {
      // The body does not have the documented form, so the status alone counts.
      return undefined
    }
    return new ProviderError(id, /api ?key/i.test(reason) ? 'AUTHENTICATION_FAILED' : 'REQUEST_REFUSED', {
      cause: reason
    })
  }
}
