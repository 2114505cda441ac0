import { isDrawable } from '../chart/drawable.ts'
import type { FeatureTargetRow, Transform } from './analyses-document.ts'

export const transforms: readonly Transform[] = ['differences', 'seasonal_differences', 'levels']

/** How one feature goes with the target; a measure a transform at most. */
export interface TargetAssociation {
  feature: string
  rows: FeatureTargetRow[]
  /** The row that it is ranked by: differences where there are, as two series that grow go together in any case. */
  leading: FeatureTargetRow
}

/** Features by the size of their association, the largest first. Of numbers Pearson's r is taken, which has a lag. */
export function targetAssociations (rows: readonly FeatureTargetRow[]): TargetAssociation[] {
  const features = new Map<string, FeatureTargetRow[]>()
  for (const row of rows) features.set(row.feature, [...features.get(row.feature) ?? [], row])
  const found = [...features].flatMap(([feature, all]) => {
    const kept = transforms.flatMap((transform) => {
      const measures = all.filter((row) => row.transform === transform)
      return measures.find(({ method }) => method !== 'spearman') ?? measures[0] ?? []
    })
    const leading = kept.find(
      ({ transform, value }) => transform === 'differences' && value !== null
    ) ?? kept.find(({ value }) => value !== null) ?? kept[0]
    return leading === undefined ? [] : [{ feature, rows: kept, leading }]
  })
  return found.sort((a, b) => sizeOf(b.leading) - sizeOf(a.leading))
}

function sizeOf ({ value }: FeatureTargetRow): number {
  return isDrawable(value) ? Math.abs(value) : -1
}
