import type { DataProfile, ProfiledColumn } from '../../../domain/data-profile.ts'
import type { Finding } from '../reading.ts'

export interface ChosenColumns {
  entity: string[]
  grouping: string[]
  covariates: string[]
  knownAhead: string[]
  historical: string[]
  /** What the prompt wants left out, in the order of the file. */
  refused: string[]
}

/**
 * Which columns name the series, which group them, and which go along with the target; a column that the prompt rules
 * out is none of the last.
 */
export function chooseColumns (findings: readonly Finding[], data: DataProfile, target: string | null): ChosenColumns {
  const { itemId, timestamp } = data.roles
  const hierarchy = data.series?.hierarchyColumns ?? []
  const named = unique(findings.filter((finding) => finding.field === 'grouping').flatMap(({ value }) => value)).filter(
    (name) => name !== timestamp
  )
  const isTotal = named.length === 0 && findings.some(({ field }) => field === 'grand_total')
  const own = isTotal ? [] : itemId !== null ? [itemId] : (data.series?.numItems ?? 1) > 1 ? hierarchy : []
  // Several levels with the finest among them name the series as well as all do: `every store and sku`.
  const entity = named.length > 1 && own.length > named.length && named.includes(own.at(-1) as string) &&
      named.every((name) => own.includes(name))
    ? hierarchy.filter((name) => named.includes(name))
    : own
  // Of columns that cross, each state with each purpose, one alone names sums.
  const finest = entity.length > 1 && !areCrossed(entity, data) ? entity.at(-1) : undefined
  // `per store` where stores are the series asks for what the data have; `by region and store` names the series by
  // both.
  const [only] = named
  const isOwn = named.length === entity.length && named.every((name) => entity.includes(name))
  const grouping = isOwn || (named.length === 1 && (only === itemId || only === finest)) ? [] : named
  const used = new Set<string>()
  const refused = new Set<string>()
  /** What the prompt says is known for the past only. */
  const past = new Set<string>()
  /** What it says is known ahead, whatever rows the file has of it. */
  const ahead = new Set<string>()
  for (const finding of findings) {
    if (finding.field !== 'covariates') continue
    for (const name of finding.value.columns) (finding.value.isUsed ? used : refused).add(name)
    if (finding.value.isKnownAhead !== undefined) {
      for (const name of finding.value.columns) (finding.value.isKnownAhead ? ahead : past).add(name)
    }
  }
  // In the order of the file, whatever order the prompt has.
  // Where the target is asked for, what it is likely to be goes along with nothing.
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

/** Whether every value of each of the columns goes with every value of the others. */
function areCrossed (names: readonly string[], { columns, series }: DataProfile): boolean {
  return series?.numItems ===
    names.reduce((product, name) => product * (columns.find((column) => column.name === name)?.distinct ?? 1), 1)
}

function unique (names: readonly string[]): string[] {
  return [...new Set(names)]
}
