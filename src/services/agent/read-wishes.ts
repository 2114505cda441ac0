import type { DataProfile } from '../../domain/data-profile.ts'
import { type FoundPhrase, phrases } from './phrases/phrases.ts'
import { explicit, type Finding, Reading } from './reading.ts'
import { covariateWishes, groupingWishes } from './wishes/columns.ts'
import { combiningFindings } from './wishes/combining.ts'
import { horizonWishes } from './wishes/horizon.ts'
import { plainReaders, type WishReader } from './wishes/plain.ts'
import { codedValues, comparisonWishes, markedRows, numberedValues, unknownNames, valueFilters } from './wishes/rows.ts'
import { mentionedTargets, placedTargets, targetWishes, unknownTargets } from './wishes/targets.ts'
import { trainingWishes } from './wishes/training.ts'

/** A prompt and its findings. */
export interface ReadWishes {
  reading: Reading
  /** The findings do not share words. */
  findings: Finding[]
  /** The purpose of the forecast; null if the prompt does not state it. */
  objective: { value: string, from: number, to: number } | null
  /**
   * A language model has read the prompt too. Words that it left out of a sentence that it used are not reported as
   * lost.
   */
  isByModel?: boolean
}

const maxObjectiveWords = 24

/** Finds wishes by the table of phrases and by the names in the data. */
export function readWishes (prompt: string, data: DataProfile): ReadWishes {
  const reading = new Reading(prompt, data)
  const { findings, objective } = findWishes(reading)
  return {
    reading,
    findings: resolveFindings(findings, reading.size),
    objective: objective === undefined
      ? null
      : readObjective(reading, objective)
  }
}

/** The purpose of the forecast, in the words of the sender. */
function readObjective ({ text }: Reading, { value: kind, from, to }: FoundPhrase): ReadWishes['objective'] {
  // After `so that we can`, the objective is the rest; of `to plan` and `for planning` it is all but the preposition.
  const first = kind === 'behind' ? to : /^(?:to|for)$/.test(text.key(from)) ? from + 1 : from
  const isEnd = (at: number): boolean =>
    /^[.,:()]$/.test(text.key(at)) ||
    (at > first + 1 && /^(?:next|until|through|using|with|excluding)$/.test(text.key(at)))
  let last = first
  while (last < text.tokens.length && last < first + maxObjectiveWords && !isEnd(last)) last++
  const value = text.source(first, last).replaceAll(/\s+/g, ' ').trim()
  return value === '' ? null : { value: value.slice(0, 200), from, to: last }
}

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
