import type { Fidelity, Importance } from './analyses-document.ts'

/** What importance and contributions explain, in fixed words. */
export function surrogateText (importance: Importance | null): string {
  return `The analysis ${clause(importance)}.`
}

function clause (importance: Importance | null): string {
  if (importance !== null && !importance.method.startsWith('surrogate')) return 'explains the model itself; associations, not causes'
  const r2 = importance?.fidelity?.r2 ?? null
  if (r2 === null) return 'explains a surrogate of the forecast whose fidelity is not known; associations, not causes'
  return `explains a surrogate that reproduces ${shareText(r2)} of the variance of the forecast on held-out origins; associations, not causes`
}

/** A whole number of per cent, which never says all of what is nearly all, and nothing less than none. */
function shareText (r2: number): string {
  if (r2 < 0.005) return 'none'
  return r2 < 1 && r2 >= 0.995 ? 'over 99 %' : `${Math.round(Math.min(1, r2) * 100)} %`
}

const meanings: Record<Fidelity['label'], string> = {
  high: 'The surrogate is close to the forecast.',
  moderate: 'The surrogate misses some of the forecast: take ranks, not figures, from it.',
  low: 'The surrogate misses much of the forecast: what is shown is a hint at most.'
}

export function fidelityMeaning (fidelity: Fidelity | null): string | null {
  return fidelity === null || !Object.hasOwn(meanings, fidelity.label) ? null : meanings[fidelity.label]
}
