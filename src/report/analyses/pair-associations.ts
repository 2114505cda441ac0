import { isDrawable } from '../chart/drawable.ts'
import type { FeatureFeature, FeaturePair } from './analyses-document.ts'

/** One measure per pair, the larger one if there are two; the largest first. */
export function pairAssociations ({ pairs, features }: FeatureFeature): FeaturePair[] {
  const largest = new Map<number, FeaturePair>()
  for (const pair of pairs) {
    const key = Math.min(pair.a, pair.b) * features.length + Math.max(pair.a, pair.b)
    const known = largest.get(key)
    if (known === undefined || sizeOf(pair) > sizeOf(known)) {
      largest.set(key, { ...pair, redundant: pair.redundant || known?.redundant === true })
    } else if (pair.redundant) known.redundant = true
  }
  return [...largest.values()].sort((a, b) => sizeOf(b) - sizeOf(a))
}

function sizeOf ({ value }: FeaturePair): number {
  return isDrawable(value) ? Math.abs(value) : -1
}
