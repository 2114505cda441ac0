const maxBytes = 65_536
const maxNames = 100

/**
 * The names in the first line of a CSV file. Empty for other files, and for a line that is no plain header, where the
 * service has rules of its own.
 */
export async function columnNames (file: File): Promise<string[]> {
  if (!/\.csv$/i.test(file.name)) return []
  const [line = ''] = (await file.slice(0, maxBytes).text()).replace(/^\uFEFF/, '').split(/\r?\n/, 1)
  const rows = [',', ';', '\t'].map((separator) => cells(line, separator))
  const row = rows.reduce((best, other) => other.length > best.length ? other : best)
  const names = row.map((name) => name.trim().replace(/^"(.*)"$/, '$1').replaceAll('""', '"')).filter((name) =>
    name !== ''
  )
  const isHeader = names.length > 1 && names.length <= maxNames && !names.some((name) => name.includes('\uFFFD'))
  return isHeader ? names : []
}

/** Empty when a quote does not end. */
function cells (line: string, separator: string): string[] {
  const found = ['']
  let isQuoted = false
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted
    if (character === separator && !isQuoted) found.push('')
    else found[found.length - 1] += character
  }
  return isQuoted ? [] : found
}
