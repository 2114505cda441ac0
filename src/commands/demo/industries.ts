import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

interface MonthlyCount {
  series: string
  year: number
  /** 1 to 12. */
  month: number
  /** Unemployed persons, in thousands. */
  count: number
}

export interface IndustryPanel {
  /** Long CSV: item_id,timestamp,target. */
  csv: string
  /** Monthly values of each industry, oldest first. */
  history: Map<string, number[]>
}

/** Monthly unemployment in 14 US industries (Bureau of Labor Statistics, as published with vega-datasets). */
export function loadIndustries (): IndustryPanel {
  // The package only exports its code; the data is in a folder beside it.
  const code = createRequire(import.meta.url).resolve('vega-datasets')
  const path = join(dirname(code), '..', 'data', 'unemployment-across-industries.json')
  const rows = JSON.parse(readFileSync(path, 'utf8')) as MonthlyCount[]
  const history = new Map<string, number[]>()
  const lines = ['item_id,timestamp,target']
  for (const { series, year, month, count } of rows.toSorted((a, b) => a.year - b.year || a.month - b.month)) {
    const values = history.get(series) ?? []
    values.push(count)
    history.set(series, values)
    lines.push(`${quote(series)},${year}-${String(month).padStart(2, '0')}-01,${count}`)
  }
  return { csv: lines.join('\n') + '\n', history }
}

function quote (cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
