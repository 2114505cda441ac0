import { InvalidAnswer } from './invalid-answer.ts'

/** The longest field; anything longer is not a value of a time series. */
const maxFieldLength = 100_000

/**
 * The columns by the names in the header; RFC 4180 with LF or CRLF. Throws InvalidAnswer for rows of another width, a
 * repeated name or an open quote.
 */
export function readCsv (text: string): Map<string, string[]> {
  let names: string[] | undefined
  let columns: string[][] = []
  for (const fields of rowsOf(text)) {
    if (fields.length === 1 && fields[0] === '') continue
    if (names === undefined) {
      names = fields
      if (new Set(names).size !== names.length) throw new InvalidAnswer('the CSV names a column twice')
      columns = names.map(() => [])
      continue
    }
    if (fields.length !== names.length) {
      throw new InvalidAnswer(`a row of the CSV has ${fields.length} fields instead of ${names.length}`)
    }
    for (const [index, field] of fields.entries()) columns[index]?.push(field)
  }
  return new Map((names ?? []).map((name, index) => [name, columns[index] ?? []]))
}

/** The column of that name. Throws InvalidAnswer if there is none. */
export function columnOf (table: Map<string, string[]>, name: string): string[] {
  const column = table.get(name)
  if (column === undefined) throw new InvalidAnswer(`the CSV has no column ${name}`)
  return column
}

/** A number in CSV; null: empty. Throws InvalidAnswer for anything else. */
export function numberOf (field: string): number | null {
  if (field === '' || field === 'NaN') return null
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(field)) {
    throw new InvalidAnswer('a value of the CSV is not a number')
  }
  const value = Number(field)
  if (!Number.isFinite(value)) throw new InvalidAnswer('a value of the CSV is out of range')
  return value
}

function* rowsOf (text: string): Generator<string[]> {
  let fields: string[] = []
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  while (at < text.length) {
    let field: string
    if (text[at] === '"') {
      let end = at + 1
      for (;; end += 2) {
        end = text.indexOf('"', end)
        if (end < 0) throw new InvalidAnswer('the CSV ends inside quotes')
        if (text[end + 1] !== '"') break
      }
      field = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
    } else {
      let end = at
      while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end++
      field = text.slice(at, end)
      at = end
    }
    if (field.length > maxFieldLength) throw new InvalidAnswer('a field of the CSV is too long')
    fields.push(field)
    if (text[at] === ',') {
      at++
      if (at < text.length) continue
      fields.push('')
    } else if (text[at] === '\r' && text[at + 1] === '\n') at += 2
    else if (text[at] === '\n') at++
    else if (at < text.length) throw new InvalidAnswer('a field of the CSV goes on after its quotes')
    yield fields
    fields = []
  }
}
