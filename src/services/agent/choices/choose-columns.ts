import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import type { Finding } from '../reading.ts'

export interface ChosenColumns {
  entity: string[]
  grouping: string[]
  covariates: string[]
  knownAhead: string[]
  historical: string[]
  /** Columns that the prompt excludes, in the order of the file. */
  refused: string[]
}

/**
 * Chooses the columns that name the series, those that group them, and the covariates. A column that the prompt
 * excludes is no covariate.
 */
export function chooseColumns (findings: readonly Finding[], data: DataProfile, target: string | null): ChosenColumns {
  const { itemId, timestamp } = data.roles
  const hierarchy = data.series?.hierarchyColumns ?? []
  const named = unique(findings.filter((finding) => finding.field === 'grouping').flatMap(({ value }) => value)).filter(
    (name) => name !== timestamp
  )
  const isTotal = named.length === 0 && findings.some(({ field }) => field === 'grand_total')
  const own = isTotal ? [] : itemId !== null ? [itemId] : (data.series?.numItems ?? 1) > 1 ? hierarchy : []
  // If the prompt names several levels, among them the finest, those levels name the series as well as all levels do:
  // `every store and sku`.
  const entity = named.length > 1 && own.length > named.length && named.includes(own.at(-1) as string) &&
      named.every((name) => own.includes(name))
    ? hierarchy.filter((name) => named.includes(name))
    : own
  // If columns cross, such as every state with every purpose, a single one of them names sums, not series.
  const finest = entity.length > 1 && !areCrossed(entity, data) ? entity.at(-1) : undefined
  // If the series are stores, `per store` asks for the series of the data. `by region and store` names the series by
  // both columns.
  const [only] = named
  const isOwn = named.length === entity.length && named.every((name) => entity.includes(name))
  const grouping = isOwn || (named.length === 1 && (only === itemId || only === finest)) ? [] : named
  const used = new Set<string>()
  const refused = new Set<string>()
  /** Columns that are known only for the past, according to the prompt. */
  const past = new Set<string>()
  /** Columns that are known ahead according to the prompt, whatever rows the file has. */
  const ahead = new Set<string>()
  for (const finding of findings) {
    if (finding.field !== 'covariates') continue
    for (const name of finding.value.columns) (finding.value.isUsed ? used : refused).add(name)
    if (finding.value.isKnownAhead !== undefined) {
      for (const name of finding.value.columns) (finding.value.isKnownAhead ? ahead : past).add(name)
    }
  }
  // The order is that of the file, not of the prompt. While the target is open, the likely target is no covariate.
  const notAlong = target ?? data.roles.target
  const columns = data.columns.filter(({ name }) =>
    used.has(name) && !refused.has(name) && name !== notAlong && !entity.includes(name)
  )
  const isAhead = ({ name, isKnownAhead }: ProfiledColumn): boolean =>
    (isKnownAhead || ahead.has(name)) && !past.has(name)
  return {
    entity,
    grouping,
    covariates: columns.map(({ name }) => name),
    knownAhead: columns.filter(isAhead).map(({ name }) => name),
    historical: columns.filter((column) => !isAhead(column)).map(({ name }) => name),
    refused: data.columns.filter(({ name }) => refused.has(name)).map(({ name }) => name)
  }
}

/** Whether every value of each column occurs with every value of the others. */
function areCrossed (names: readonly string[], { columns, series }: DataProfile): boolean {
  return series?.numItems ===
    names.reduce((product, name) => product * (columns.find((column) => column.name === name)?.distinct ?? 1), 1)
}

function unique (names: readonly string[]): string[] {
  return [...new Set(names)]
}
