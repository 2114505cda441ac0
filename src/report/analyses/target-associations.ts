import { isDrawable } from '../chart/drawable.ts'
import type { FeatureTargetRow, Transform } from './analyses-document.ts'

export const transforms: readonly Transform[] = ['differences', 'seasonal_differences', 'levels']

/** How one feature relates to the target, with at most one measure per transform. */
export interface TargetAssociation {
  feature: string
  rows: FeatureTargetRow[]
  /**
   * The row by which the feature is ranked: differences if there are any, because two growing series are always
   * correlated in levels.
   */
  leading: FeatureTargetRow
}

/** Features by the strength of their association, the strongest first. Numbers use Pearson's r, which has a lag. */
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
