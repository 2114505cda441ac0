/* Tables and prompts as people send them, and worse. */

export interface RandomTable {
  csv: string
  columns: string[]
  /** A value of each column that names something, by the name of the column. */
  values: Record<string, string[]>
  target: string
}

type Random = () => number

const ids = [['North', 'South', 'East'], ['a::b', 'a', 'b::c'], ['x:', ':x', 'y'], ['10', '20', '30'], ['Büro', '東京',
  'São Paulo'], ['b::c', 'c', '::']]
const idNames = ['region', 'store', 'sku', 'item_id', 'site']
const dayMs = 86_400_000
const steps: Array<{ ms: number, months?: number }> = [{ ms: dayMs }, { ms: dayMs }, { ms: 3_600_000 }, {
  ms: 1_800_000
}, { ms: 7 * dayMs }, { ms: 0, months: 1 }]
const startYears = [2024, 2024, 2024, 2023, 2022, 1970, 1701, 2, 9990]
const longName = 'net revenue of all orders that were shipped '.repeat(5).trim()

/**
 * A table with a time, a target, up to three columns that name series, gaps, irregular steps, short series, and
 * covariates with holes.
 */
export function randomTable (random: Random): RandomTable {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const is = (share: number): boolean => random() < share
  const step = pick(steps)
  const isIrregular = is(0.12)
  const start = new Date(0)
  start.setUTCFullYear(pick(startYears), Math.floor(random() * 12),
    step.months === undefined ? 1 + Math.floor(random() * 28) : 1)
  const names = idNames.toSorted(() => random() - 0.5).slice(0, pick([0, 1, 1, 2, 2, 3]))
  const levels = names.map(() => pick(ids).slice(0, 1 + Math.floor(random() * 3)))
  const target = is(0.06) ? longName : pick(['units_sold', 'demand', 'temperature', 'revenue'])
  const covariate = is(0.05) ? `${longName} planned` : 'price'
  const series = levels.reduce<string[][]>(
    (paths, values) => paths.flatMap((path) => values.map((value) => [...path, value])),
    [[]]
  )
  const length = pick([1, 3, 6, 15, 40, 40, 60, 90])
  const gapShare = pick([0, 0, 0.05, 0.4])
  const future = pick([0, 0, 4, 14])
  const holes = pick([0, 0, 0.2])
  const shifts = is(0.2)
  const rows: string[] = []
  for (const path of series.filter((_, index) => index === 0 || is(0.9))) {
    const shiftMs = shifts ? Math.floor(random() * 4) * dayMs : 0
    const own = is(0.1) ? Math.max(1, Math.floor(length / 4)) : length
    for (let at = length - own; at < length + future; at++) {
      const isFuture = at >= length
      if (is(isFuture ? holes : gapShare)) continue
      const time = new Date(
        start.getTime() + shiftMs + (step.months === undefined ? at * step.ms : 0) +
          (isIrregular ? Math.floor(random() * 3 * dayMs) : 0)
      )
      if (step.months !== undefined) time.setUTCMonth(time.getUTCMonth() + at)
      const year = time.getUTCFullYear()
      if (year > 9999) continue
      const isLast = at === length - 1
      const value = isLast && is(0.3) ? 5000 : 20 + (at % 7) * 3 + random()
      const stamp = `${String(year).padStart(4, '0')}-${time.toISOString().slice(-19, -5).replace('T', ' ')}`
      rows.push(
        [stamp, ...path, isFuture ? '' : value.toFixed(2), isFuture && is(holes / 2) ? '' : (8 + (at % 5)).toFixed(1)]
          .join(',')
      )
    }
  }
  if (rows.length === 0) return randomTable(random)
  const columns = ['date', ...names, target, covariate]
  return {
    csv: [columns.join(','), ...rows].join('\n') + '\n',
    columns,
    values: Object.fromEntries(names.map((name, index) => [name, levels[index] as string[]])),
    target
  }
}

/** Words about such a table: some of them cannot be had of it. */
export function randomPrompt (random: Random, { columns, values, target }: RandomTable): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const names = Object.keys(values)
  const name = names.length > 0 ? pick(names) : 'region'
  const wishes = [
    `by ${name}`,
    `by ${pick(columns).slice(0, 60)}`,
    `using ${pick(columns).slice(0, 60)}`,
    `per ${names.join(' and ') || 'store'}`,
    'total over all rows',
    `only ${pick(values[name] ?? ['North'])}`,
    `except ${pick(values[name] ?? ['North'])}`,
    'where price is below 10',
    'where price > 100',
    'remove outliers',
    'clip outliers',
    'remove outliers and drop missing rows',
    'do not fill gaps',
    'fill gaps with zero',
    'interpolate missing values',
    'weekly',
    'monthly',
    'hourly',
    'daily',
    'using price',
    'without price',
    'forecasts must add up',
    'reconciled bottom-up',
    'use the last 3 weeks',
    'ignore everything before 2024',
    'use data up to March 2024',
    'exclude the last 2 weeks',
    '90% interval',
    'judged by WAPE'
  ]
  const horizons = ['', 'next 3 steps', 'for the next 6 weeks', 'for 2 days', 'until the end of the year',
    'next quarter', 'for the next 5 years']
  const wanted = Array.from({ length: Math.floor(random() * 4) }, () => pick(wishes))
  return [
    random() < 0.5 && target.length < 60
      ? `forecast ${target.replaceAll('_', ' ')}`
      : random() < 0.1
      ? pick(columns).slice(0, 60)
      : '',
    pick(horizons),
    ...wanted
  ].filter((words) => words !== '').join(', ')
}
