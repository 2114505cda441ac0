import type { Method, Transform } from './analyses-document.ts'

export const methodNames: Record<Method, string> = {
  pearson: 'Pearson',
  spearman: 'Spearman',
  cramers_v: 'Cramér’s V',
  correlation_ratio: 'correlation ratio'
}

export const transformNames: Record<Transform, string> = {
  levels: 'levels',
  differences: 'differences',
  seasonal_differences: 'seasonal differences'
}
