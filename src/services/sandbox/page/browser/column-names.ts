const maxBytes = 65_536
const maxNames = 100

/** Names in the first line of a CSV file, to choose from; none of other files. The service has its own rules. */
export async function columnNames (file: File): Promise<string[]> {
  if (!/\.csv$/i.test(file.name)) return []
  const [line = ''] = (await file.slice(0, maxBytes).text()).replace(/^\uFEFF/, '').split(/\r?\n/, 1)
  const rows = [',', ';', '\t'].map((separator) => line.split(separator))
  const row = rows.reduce((best, other) => other.length > best.length ? other : best)
  const names = row.map((name) => name.trim().replace(/^"(.*)"$/, '$1').replaceAll('""', '"'))
  return names.filter((name) => name !== '').slice(0, maxNames)
}
