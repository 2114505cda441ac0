import { phrases, type FoundPhrase } from '../phrases/phrases.ts'
import type { Finding, Reading } from '../reading.ts'
import { covariateWishes, groupingWishes } from './columns.ts'
import { combiningFindings } from './combining.ts'
import { horizonWishes } from './horizon.ts'
import { plainReaders, type WishReader } from './plain.ts'
import { codedValues, comparisonWishes, markedRows, numberedValues, unknownNames, valueFilters } from './rows.ts'
import { mentionedTargets, placedTargets, targetWishes, unknownTargets } from './targets.ts'
import { trainingWishes } from './training.ts'

const readers: Record<string, WishReader> = {
  ...plainReaders,
  horizon: horizonWishes,
  training: trainingWishes,
  grouping: groupingWishes,
  covariates: covariateWishes,
  comparison: comparisonWishes,
  marked: markedRows,
  target: targetWishes,
  unknown_target: unknownTargets,
  objective: () => []
}
/** The readers that use names of the data instead of phrases. */
const ofNames = [valueFilters, numberedValues, codedValues, unknownNames, mentionedTargets, placedTargets,
  combiningFindings]

/** Finds all possible wishes of a prompt. Of wishes that share words, only one is right. */
export function findWishes (reading: Reading): { findings: Finding[], objective: FoundPhrase | undefined } {
  const byWish = new Map<string, FoundPhrase[]>()
  for (const phrase of phrases.find(reading)) {
    const found = byWish.get(phrase.wish)
    if (found === undefined) byWish.set(phrase.wish, [phrase])
    else found.push(phrase)
  }
  const findings = [...byWish].flatMap(([wish, found]) => (readers[wish] as WishReader)(found, reading))
  const objectives = byWish.get('objective') ?? []
  return {
    findings: [...findings, ...ofNames.flatMap((find) => find(reading))],
    objective: objectives.find(({ weight }) => weight === 1) ?? objectives[0]
  }
}
