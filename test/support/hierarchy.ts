import { parseCsv } from './csv.ts'

export interface HierarchyOptions {
  regions?: string[]
  stores?: string[]
  months?: number
  /** Columns in front of the time: the values of a series by its region and store. */
  columns?: Record<string, (region: string, store: string) => string>
  value?: (series: number, step: number) => string | number
}

const levels = { region: (region: string) => region, store: (_region: string, store: string) => store }

/** Monthly sales of each store of each region, long form; without an item id unless `columns` has one. */
export function hierarchyCsv (
  { regions = ['north', 'south'], stores = ['a', 'b', 'c'], months = 60, columns = levels, value = seasonal }:
    HierarchyOptions = {}
): string {
  const names = Object.keys(columns)
  const lines = [[...names, 'timestamp', 'target'].join(',')]
  regions.flatMap((region) => stores.map((store) => [region, store] as const)).forEach(([region, store], series) => {
    const cells = names.map((name) => quote(columns[name]?.(region, store) ?? ''))
    for (let step = 0; step < months; step++) {
      lines.push([...cells, new Date(Date.UTC(2019, step)).toISOString().slice(0, 10), value(series, step)].join(','))
    }
  })
  return lines.join('\n') + '\n'
}

/** A level, a trend, a season and noise of its own for each series; never negative. */
function seasonal (series: number, step: number): string {
  const noise = Math.sin((series * 104729 + step * 1299709) % 1000)
  return (100 + 35 * series + (0.2 + 0.1 * series) * step +
    (12 + 3 * series) * Math.sin(2 * Math.PI * (step + series) / 12) + 4 * noise).toFixed(3)
}

function quote (cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

export interface Node {
  id: string
  /** As they stand in the file, a step after the other. */
  means: string[]
}

/** The nodes of a forecast table in its order. */
export function nodesOf (table: string): Node[] {
  const nodes: Node[] = []
  for (const [id = '', , mean = ''] of parseCsv(table).slice(1)) {
    if (nodes.at(-1)?.id !== id) nodes.push({ id, means: [] })
    nodes.at(-1)?.means.push(mean)
  }
  return nodes
}

/** The parents whose means are not, digit by digit, the sums of their children's. */
export function incoherent (nodes: Node[], parentOf: (id: string) => string | undefined): string[] {
  const decimals = Math.max(...nodes.flatMap(({ means }) => means.map(decimalsOf)))
  const sums = new Map<string, bigint[]>()
  for (const { id, means } of nodes) {
    const parent = parentOf(id)
    if (parent === undefined) continue
    const sum = sums.get(parent) ?? means.map(() => 0n)
    means.forEach((mean, step) => {
      sum[step] = (sum[step] ?? 0n) + scaled(mean, decimals)
    })
    sums.set(parent, sum)
  }
  return [...sums].filter(([id, sum]) => {
    const means = nodes.find((node) => node.id === id)?.means.map((mean) => scaled(mean, decimals)) ?? []
    return means.length !== sum.length || means.some((mean, step) => mean !== sum[step])
  }).map(([id]) => id)
}

/** Decimals of the grid on which a number of this size has fifteen digits. */
export function gridDecimals (largest: number): number {
  return 14 - Math.floor(Math.log10(largest))
}

export function decimalsOf (number: string): number {
  const [digits = '', exponent = '0'] = number.split('e')
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent))
}

/** A decimal number as a whole number of units of 10^-decimals. */
function scaled (number: string, decimals: number): bigint {
  const [digits = '', exponent = '0'] = number.split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(decimals - fraction.length + Number(exponent))
}
