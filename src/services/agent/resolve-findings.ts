import { explicit, type Finding } from './reading.ts'

/**
 * Removes findings that share words with a better one. Explicit ones are better than inferred ones, then longer, surer
 * and earlier ones. The result is in the order of the prompt.
 */
export function resolveFindings (findings: readonly Finding[], tokens: number): Finding[] {
  const taken = new Uint8Array(tokens)
  const isFree = ({ from, to }: Finding): boolean => !taken.subarray(Math.max(0, from), to).includes(1)
  const kept: Finding[] = []
  for (const finding of [...findings].sort(compare)) {
    if (!isFree(finding)) continue
    taken.fill(1, Math.max(0, finding.from), finding.to)
    kept.push(finding)
  }
  return kept.sort((left, right) => left.from - right.from)
}

function compare (left: Finding, right: Finding): number {
  const isExplicit = ({ weight }: Finding): number => Number(weight >= explicit)
  return isExplicit(right) - isExplicit(left) || (right.to - right.from) - (left.to - left.from) ||
    right.weight - left.weight || left.from - right.from || (left.field < right.field ? -1 : 1)
}
