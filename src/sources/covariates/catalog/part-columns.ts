import { EngineError, readColumns, type TableColumn } from '../../../engine/index.ts'
import { isTimeZone, laterUtcOf, utcOf } from '../alignment/civil-time.ts'
import { InvalidAnswer } from '../http/invalid-answer.ts'
import { columnOf, numberOf, readCsv } from '../http/read-csv.ts'

/**
 * Columns of one part, in its order and of equal length: times in milliseconds UTC, values NaN where there is none.
 * Shared by all who read it: nobody changes it.
 */
export interface PartColumns {
  validTimeMs: Float64Array
  issuedAtMs: Float64Array | undefined
  publishedAtMs: Float64Array | undefined
  values: Map<string, Float64Array>
}

/** A file that holds a part, and what its manifest says of it. */
export interface PartFile {
  path: string
  format: 'csv' | 'parquet'
  timeZone: string
  /** The bytes of the file, for a reader that wants them whole. */
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

/** The engine's readers: columns, without a row as an object. */
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

/** Times without an offset are civil times of the zone, which only a reader of texts can tell from others. */
function readCivilCsv (bytes: Buffer, variables: readonly string[], timeZone: string): PartColumns {
  const table = readCsv(bytes.toString('utf8'))
  // An empty publication is an unknown one; an empty valid time is none.
  const times = (name: string) => {
    const column = table.get(name)
    return column === undefined
      ? undefined
      : Float64Array.from(column, (field) => field === '' ? NaN : timeOf(field, timeZone))
  }
  const [issuedAtMs, publishedAtMs] = [times('issued_at'), times('published_at')]
  // Where a time may not come twice, the hour that clocks show twice is told by the order of the rows.
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
 * ISO 8601. A time with Z or an offset is that instant; one without is civil time of the manifest's zone, which becomes
 * UTC here.
 */
function timeOf (field: string, timeZone: string, instantOf = utcOf): number {
  const [, date, time = '00:00:00', zone] =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(field) ?? []
  const ms = date === undefined ? NaN : Date.parse(`${date}T${time}${zone ?? 'Z'}`)
  if (Number.isNaN(ms)) throw new InvalidAnswer('a time is not in ISO 8601')
  return zone === undefined ? instantOf(ms, timeZone) : ms
}
