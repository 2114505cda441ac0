import type { DataProfile } from '../../queue/data-profile.ts'
import type { Finding } from '../rules/rule.ts'

export interface ChosenColumns {
  entity: string[]
  grouping: string[]
  covariates: string[]
  knownAhead: string[]
  historical: string[]
}

/** Which columns name the series, which group them, and which go along with the target; a column that the prompt rules out is none of the last. */
export function chooseColumns (findings: readonly Finding[], data: DataProfile, target: string | null): ChosenColumns {
  const { itemId, timestamp } = data.roles
  const hierarchy = data.series?.hierarchyColumns ?? []
  const entity = itemId !== null ? [itemId] : (data.series?.numItems ?? 1) > 1 ? hierarchy : []
  const finest = entity.length > 1 ? entity.at(-1) : undefined
  const groups = findings.filter((finding) => finding.field === 'grouping').flatMap(({ value }) => value)
  const grouping = unique(groups).filter((name) => name !== itemId && name !== finest && name !== timestamp)
  const used = new Set<string>()
  const refused = new Set<string>()
  for (const finding of findings) {
    if (finding.field !== 'covariates') continue
    for (const name of finding.value.columns) (finding.value.isUsed ? used : refused).add(name)
  }
  // In the order of the file, whatever order the prompt has.
  const columns = data.columns.filter(({ name }) => used.has(name) && !refused.has(name) && name !== target && !entity.includes(name))
  return {
    entity,
    grouping,
    covariates: columns.map(({ name }) => name),
    knownAhead: columns.filter(({ isKnownAhead }) => isKnownAhead).map(({ name }) => name),
    historical: columns.filter(({ isKnownAhead }) => !isKnownAhead).map(({ name }) => name)
  }
}

function unique (names: readonly string[]): string[] {
  return [...new Set(names)]
}
