/** Rows of RFC 4180 text with LF line ends, as the service writes it. */
export function parseCsv (text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text.charAt(at + 1) === '"') cell += text.charAt(++at)
      else isQuoted = false
    } else if (character === '"') {
      isQuoted = true
    } else if (character === ',' || character === '\n') {
      row.push(cell)
      cell = ''
      if (character === '\n') {
        rows.push(row)
        row = []
      }
    } else {
      cell += character
    }
  }
  return rows
}

const header = 'item_id,timestamp,target'

export interface SeriesOptions {
  item?: string
  length?: number
  /** Milliseconds between two stamps. */
  stepMs?: number
  start?: string
  stamp?: (time: Date) => string
  /** As it stands in the file. */
  value?: (step: number) => string | number
}

export const dayMs = 86_400_000
export const hourMs = 3_600_000

/** Rows of one series, daily and linear unless said otherwise. */
export function series (
  { item = 'a', length = 40, stepMs = dayMs, start = '2024-01-01', stamp = isoDate, value = (step) => step + 1 }:
    SeriesOptions = {}
): string[] {
  const first = Date.parse(`${start}T00:00:00Z`)
  return Array.from({ length }, (_, step) => `${item},${stamp(new Date(first + step * stepMs))},${value(step)}`)
}

export function csv (rows: readonly string[], head = header): string {
  return [head, ...rows].join('\n') + '\n'
}

export function isoDate (time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** `2024-01-01 05:00:00`, without a zone. */
export function isoSeconds (time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ')
}
