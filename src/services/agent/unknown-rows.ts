import type { DataProfile } from '../../domain/data-profile.ts'
import type { ClarificationQuestion } from '../../domain/forecast-intent.ts'
import { mayExplain, mayGroup } from './columns/column-roles.ts'
import type { LostWords } from './not-used.ts'
import { editDistance } from '../../platform/text/edit-distance.ts'
import { ask } from './questions.ts'
import type { Finding, Place, Reading } from './reading.ts'

const maxWords = 100
const maxCompared = 200
/** If no value is similar, a question lists all values of the file, provided that there are at most this many. */
const maxListed = 8

/** How many tokens before a filter may belong to it. */
const near = 3

/** Asks about rows, groups and drivers that the prompt names and the data do not have. */
export function askForUnknown (rows: readonly string[], lost: readonly LostWords[], findings: readonly Finding[],
  reading: Reading): ClarificationQuestion[] {
  return [askForRows(rows, lost, findings, reading), askForGroups(lost, reading), askForDrivers(lost, reading)].filter(
    (question) => question !== undefined
  )
}

/**
 * Asks which rows are meant if the prompt limits the forecast to rows that the data do not have, or that cannot be
 * identified. A forecast of all rows would be something else. `lost`: unused words.
 */
function askForRows (named: readonly string[], lost: readonly LostWords[], findings: readonly Finding[],
  reading: Reading): ClarificationQuestion | undefined {
  // Words such as `leave out days when` before a filter belong to it.
  const isLead = ({ behind }: LostWords): boolean =>
    findings.some(({ field, from }) => field === 'filters' && from >= behind && from < behind + near)
  const untold = lost.filter((part) => isOfRows(reading, part) && !isOfModel(reading, part) && !isLead(part)).map((
    { words }
  ) => words)
  const [first] = [...named, ...untold]
  if (first === undefined) return undefined
  const words = first.slice(0, maxWords)
  return ask('filters', `"${words}" cannot be made a filter of these data. Which rows shall be forecast?`,
    likeValues(words, reading.data))
}

function isOfRows (reading: Reading, { from, to, isSentence }: LostWords): boolean {
  if (reading.begins(isSentence ? 'rowsentence' : 'rowlead', from) || reading.key(to - 1) === 'only') return true
  const where = places({ from, to }).find((at) => reading.key(at) === 'where')
  return !isSentence && where !== undefined &&
    places({ from: where, to }).some((at) => reading.begins('rowcondition', at))
}

/** Whether the words are about the model or about missing data, whatever stands before them. */
function isOfModel (reading: Reading, place: Place): boolean {
  return places(place).some((at) => reading.begins('ofmodel', at))
}

/** Asks for the column if the prompt wants series by something that the data do not have. */
function askForGroups (lost: readonly LostWords[], reading: Reading): ClarificationQuestion | undefined {
  const first = lost.find((part) => {
    if (part.isSentence || !reading.begins('grouplead', part.from)) return false
    // `by` may also name who does something or how it is sent: `fixed in advance by the category team`, `by email`.
    const isOther = reading.key(part.from) === 'by' && reading.endsBefore('doneby', part.from)
    return !isOther && !places(part).some((at) => reading.begins('ofdelivery', at))
  })
  if (first === undefined) return undefined
  const columns = reading.data.columns.filter((column) => mayGroup(column)).map(({ name }) => name)
  return ask('grouping_dimensions',
    `The data have nothing for "${first.words.slice(0, maxWords)}". By which columns shall be forecast?`, columns)
}

/** A question where the prompt calls something a driver that the data do not have: `diesel_price as a driver`. */
function askForDrivers (lost: readonly LostWords[], reading: Reading): ClarificationQuestion | undefined {
  const first = lost.find((part) => places(part).some((at) => reading.begins('asdriver', at)))
  if (first === undefined) return undefined
  const columns = reading.data.columns.filter((column) => !column.isStatic && mayExplain(column, reading.data))
    .map(({ name }) => name).filter((name) => name !== reading.data.roles.target)
  return ask('covariates',
    `The data have nothing for "${first.words.slice(0, maxWords)}". Which columns shall go along?`, columns)
}

function places ({ from, to }: Place): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset)
}

/** Values of the file that resemble the words, or all values if there are few. */
function likeValues (words: string, { columns }: DataProfile): string[] {
  const values = [
    ...new Set(
      columns.filter(({ kind, distinct }) => kind === 'text' && distinct > 1).flatMap(({ values }) =>
        values.slice(0, maxCompared)
      )
    )
  ].filter((value) => value !== '').slice(0, maxCompared)
  const name = words.replace(/^(?:only|just|except|excluding|exclude|without|remove|drop|omit|skip)\b/iu, '').trim()
    .toLowerCase().slice(0, 40)
  const like = values.map((value) => ({ value, distance: editDistance(name, value.toLowerCase().slice(0, 40)) }))
    .filter(({ value, distance }) => distance <= Math.max(1, value.length / 3)).sort((one, other) =>
      one.distance - other.distance
    )
  return like.length > 0 ? like.map(({ value }) => value) : values.length <= maxListed ? values : []
}
