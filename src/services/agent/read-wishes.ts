import type { DataProfile } from '../../domain/data-profile.ts'
import type { FoundPhrase } from './phrases/phrases.ts'
import { Reading, type Finding } from './reading.ts'
import { resolveFindings } from './resolve-findings.ts'
import { findWishes } from './wishes/find-wishes.ts'

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
