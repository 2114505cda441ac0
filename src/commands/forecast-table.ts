/** One column of the downloaded forecast, by series, in the order of the file. */
export function readColumn (csv: string, column: string): Map<string, number[]> {
  const [header = [], ...rows] = csv.trimEnd().split('\n').map(splitRow)
  const index = header.indexOf(column)
  if (index < 0) throw new Error(`the forecast has no column ${column}: ${header.join(', ')}`)
  const values = new Map<string, number[]>()
  for (const row of rows) {
    const [item = ''] = row
    const series = values.get(item) ?? []
    series.push(Number(row[index]))
    values.set(item, series)
  }
  return values
}

/**
 * The cells of a row. A quoted cell may contain commas and doubled quotes. Line breaks in cells are not supported,
 * because the tables that are read here have none.
 */
export function splitRow (line: string): string[] {
  const cells = line.match(/("([^"]|"")*"|[^,]*)(,|$)/gy)?.slice(0, line.endsWith(',') ? undefined : -1) ?? []
  return cells.map((cell) => {
    const bare = cell.endsWith(',') ? cell.slice(0, -1) : cell
    return bare.startsWith('"') ? bare.slice(1, -1).replaceAll('""', '"') : bare
  })
}
