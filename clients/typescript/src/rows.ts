export type Cell = string | number | boolean | null | undefined
export type Row = Record<string, Cell>

/** A file of the caller: what it is called, and its bytes. */
export interface NamedFile {
  name: string
  body: Blob
}

/** Rows, a File, a Blob with its name, or, on Node, the path of a file. */
export type Dataset = Row[] | File | NamedFile | string

export async function asFile (data: Dataset): Promise<NamedFile> {
  if (typeof data === 'string') {
    const { openAsBlob } = await import('node:fs')
    return { name: data.split(/[/\\]/).at(-1) ?? data, body: await openAsBlob(data) }
  }
  if (Array.isArray(data)) return { name: 'data.csv', body: new Blob([toCsv(data)], { type: 'text/csv' }) }
  return data instanceof Blob ? { name: data.name, body: data } : data
}

function toCsv (rows: Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return [names, ...rows.map((row) => names.map((name) => row[name]))].map((cells) =>
    cells.map(quoted).join(',') + '\n'
  ).join('')
}

function quoted (cell: Cell): string {
  const text = String(cell ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const texts = new Set(['item_id', 'timestamp', 'split', 'actual', 'prediction'])

/**
 * A CSV table (https://www.rfc-editor.org/rfc/rfc4180) as objects; numbers are numbers, but in columns that name
 * something.
 */
export function parseCsv (csv: string): Row[] {
  const records: string[][] = []
  let record: string[] = []
  for (const match of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    const [, inQuotes, bare = '', end] = match
    if (end === '' && match[0] === '' && record.length === 0) break
    record.push(inQuotes?.replaceAll('""', '"') ?? bare)
    if (end === ',') continue
    records.push(record)
    record = []
    if (end === '') break
  }
  const [names = [], ...rows] = records
  return rows.map((cells) => Object.fromEntries(names.map((name, at) => [name, value(name, cells[at] ?? '')])))
}

function value (name: string, cell: string): Cell {
  if (texts.has(name)) return cell
  if (cell === '') return null
  const number = Number(cell)
  return Number.isNaN(number) ? cell : number
}
