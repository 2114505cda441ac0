import { EngineError, readColumns, type TableColumn } from '../../../engine/index.ts'
import { isTimeZone, laterUtcOf, utcOf } from '../alignment/civil-time.ts'
import { InvalidAnswer } from '../http/invalid-answer.ts'
import { columnOf, numberOf, readCsv } from '../http/read-csv.ts'

/**
 * Columns of one part, in its order and of equal length: times in milliseconds UTC, values NaN if missing. They are
 * shared by all readers, so nobody may change them.
 */
export interface PartColumns {
  validTimeMs: Float64Array
  issuedAtMs: Float64Array | undefined
  publishedAtMs: Float64Array | undefined
  values: Map<string, Float64Array>
}

/** The file of a part, and its description in the manifest. */
export interface PartFile {
  path: string
  format: 'csv' | 'parquet'
  timeZone: string
  /** The bytes of the file, for a parser that needs all of them at once. */
  readWhole: () => Promise<Buffer>
}

const limits = { maxRows: 50_000_000, maxColumns: 1_000, maxCellChars: 1_000 }

/** Reads the times and these variables of a part. Rejects with InvalidAnswer. */
export async function readPart (file: PartFile, variables: readonly string[]): Promise<PartColumns> {
  if (!isTimeZone(file.timeZone)) throw new InvalidAnswer('its time zone is not a known one')
  const isCivil = file.timeZone !== 'UTC'
  if (isCivil && file.format === 'parquet') {
    throw new InvalidAnswer('times of Parquet parts are in UTC, and so is the time zone of their manifest')
  }
  return isCivil ? readCivilCsv(await file.readWhole(), variables, file.timeZone) : await readInUtc(file, variables)
}

/** Uses the engine's parsers, which return columns without making an object per row. */
async function readInUtc ({ path, format }: PartFile, variables: readonly string[]): Promise<PartColumns> {
  const table = await readColumns({
    inputPath: path,
    format,
    times: ['valid_time', 'issued_at', 'published_at'],
    numbers: [...variables],
    limits,
    threads: 1
  }).catch((error: unknown) => {
    throw error instanceof EngineError && error.kind === 'content'
      ? new InvalidAnswer(error.message, { cause: error })
      : error
  })
  const times = (name: string) => {
    const column = table.get(name)
    return column === undefined ? undefined : checked(column, 'a time is not in ISO 8601')
  }
  const validTimeMs = times('valid_time')
  if (validTimeMs === undefined) throw new InvalidAnswer('it has no column valid_time')
  if (validTimeMs.some(Number.isNaN)) throw new InvalidAnswer('a time is not in ISO 8601: it is empty')
  return {
    validTimeMs,
    issuedAtMs: times('issued_at'),
    publishedAtMs: times('published_at'),
    values: new Map(variables.map((name) => {
      const column = table.get(name)
      if (column === undefined) throw new InvalidAnswer(`it has no column ${name}`)
      return [name, checked(column, 'a value is not a number')]
    }))
  }
}

function checked ({ values, wrong }: TableColumn, problem: string): Float64Array {
  if (wrong !== null) {
    throw new InvalidAnswer(`${problem}: row ${wrong.row} has ${JSON.stringify(wrong.text.slice(0, 40))}`)
  }
  return values
}

/** Times without an offset are local times of the zone; the engine's parsers cannot tell them from others. */
function readCivilCsv (bytes: Buffer, variables: readonly string[], timeZone: string): PartColumns {
  const table = readCsv(bytes.toString('utf8'))
  // An empty publication time means unknown, but an empty valid time is an error.
  const times = (name: string) => {
    const column = table.get(name)
    return column === undefined
      ? undefined
      : Float64Array.from(column, (field) => field === '' ? NaN : timeOf(field, timeZone))
  }
  const [issuedAtMs, publishedAtMs] = [times('issued_at'), times('published_at')]
  // If a time must not occur twice, the order of the rows tells apart the two passes of an hour that clocks show twice.
  const isOnce = issuedAtMs === undefined && publishedAtMs === undefined
  let previousMs = -Infinity
  const validTimeMs = Float64Array.from(columnOf(table, 'valid_time'), (field) => {
    const first = timeOf(field, timeZone)
    const second = isOnce && first <= previousMs ? timeOf(field, timeZone, laterUtcOf) : first
    previousMs = second > previousMs ? second : first
    return previousMs
  })
  return {
    validTimeMs,
    issuedAtMs,
    publishedAtMs,
    values: new Map(
      variables.map((name) => [name, Float64Array.from(columnOf(table, name), (field) => numberOf(field) ?? NaN)])
    )
  }
}

/**
 * Parses ISO 8601. A time with Z or an offset is an instant; without one it is local time of the manifest's zone, which
 * becomes UTC here.
 */
function timeOf (field: string, timeZone: string, instantOf = utcOf): number {
  const [, date, time = '00:00:00', zone] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(field) ?? []
  const ms = date === undefined ? NaN : Date.parse(`${date}T${time}${zone ?? 'Z'}`)
  if (Number.isNaN(ms)) throw new InvalidAnswer('a time is not in ISO 8601')
  return zone === undefined ? instantOf(ms, timeZone) : ms
}
