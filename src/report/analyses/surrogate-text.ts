import type { Fidelity, Importance } from './analyses-document.ts'
import type { Subject } from './subject.ts'

/** Says, in fixed words, what importance and contributions explain. */
export function surrogateText (importance: Importance | null, subject: Subject): string {
  return `The analysis ${clause(importance, subject)}.`
}

function clause (importance: Importance | null, { explained, heldOut }: Subject): string {
  if (importance !== null && !importance.method.startsWith('surrogate')) {
    return 'explains the model itself; associations, not causes'
  }
  const r2 = importance?.fidelity?.r2 ?? null
  if (r2 === null) return `explains a surrogate of ${explained} whose fidelity is not known; associations, not causes`
  return `explains a surrogate that reproduces ${
    shareText(r2)
  } of the variance of ${explained} on ${heldOut}; associations, not causes`
}

/** A whole number of per cent. It never reads 100 if anything is missing, and never less than 0. */
function shareText (r2: number): string {
  if (r2 < 0.005) return 'none'
  return r2 < 1 && r2 >= 0.995 ? 'over 99 %' : `${Math.round(Math.min(1, r2) * 100)} %`
}

const meanings: Record<Fidelity['label'], (result: string) => string> = {
  high: (result) => `The surrogate is close to the ${result}.`,
  moderate: (result) => `The surrogate misses some of the ${result}: take ranks, not figures, from it.`,
  low: (result) => `The surrogate misses much of the ${result}: what is shown is a hint at most.`
}

export function fidelityMeaning (fidelity: Fidelity | null, { result }: Subject): string | null {
  return fidelity === null || !Object.hasOwn(meanings, fidelity.label) ? null : meanings[fidelity.label](result)
}
