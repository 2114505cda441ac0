/** The value below which the given share of the samples lies (nearest rank). */
export function quantile (samples: number[], share: number): number {
  if (samples.length === 0) throw new Error('no samples')
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number
}

export function median (samples: number[]): number {
  return quantile(samples, 0.5)
}
