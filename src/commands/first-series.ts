import { open } from 'node:fs/promises'
import { splitRow } from './forecast-table.ts'
import { sparkline } from './sparkline.ts'

const headBytes = 4 * 1024 * 1024
const shownSteps = 48

interface Columns {
  item: string
  timestamp: string
  target: string
}

/**
 * Draws the first series of a forecast (CSV), with its history when the dataset is a CSV file that contains it in its
 * first 4 MiB. null when the forecast has no rows.
 */
export async function drawFirstSeries (forecastPath: string, datasetPath: string | null,
  columns: Columns): Promise<string | null> {
  const forecast = await readHead(forecastPath)
  const [, firstRow] = forecast.rows
  const mean = forecast.rows[0]?.indexOf('mean') ?? -1
  if (firstRow === undefined || mean < 0) return null
  const [item = ''] = firstRow
  const means = forecast.rows.slice(1).filter((row) => row[0] === item).map((row) => Number(row[mean]))
  const history = datasetPath?.toLowerCase().endsWith('.csv') ? await readHistory(datasetPath, item, columns) : []
  return `${item}  ${sparkline(history.slice(-shownSteps), means.slice(0, shownSteps))}`
}

/**
 * The values of one series in order of time. Empty when they are unclear, or may continue after the part that is read.
 */
async function readHistory (path: string, item: string, columns: Columns): Promise<number[]> {
  const { rows: [header = [], ...rows], isWhole } = await readHead(path)
  const [itemAt, timeAt, targetAt] = [columns.item, columns.timestamp, columns.target].map((name) =>
    header.indexOf(name)
  ) as [number, number, number]
  if (itemAt < 0 || timeAt < 0 || targetAt < 0) return []
  const own = rows.filter((row) => row[itemAt] === item && row[targetAt] !== '').map((row) => ({
    timeMs: Date.parse(row[timeAt] ?? ''),
    value: Number(row[targetAt])
  }))
  if (!own.every(({ timeMs, value }) => Number.isFinite(timeMs) && Number.isFinite(value))) return []
  if (!isWhole && rows.at(-1)?.[itemAt] === item) return []
  return own.toSorted((a, b) => a.timeMs - b.timeMs).map(({ value }) => value)
}

async function readHead (path: string): Promise<{ rows: string[][], isWhole: boolean }> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, headBytes)), 0, Math.min(size, headBytes),
      0)
    const lines = buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '').split(/\r?\n/)
    const isWhole = bytesRead === size
    // The last line may be cut off, or empty after the last line break.
    if (!isWhole || lines.at(-1) === '') lines.pop()
    return { rows: lines.map(splitRow), isWhole }
  } finally {
    await file.close()
  }
}
