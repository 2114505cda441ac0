import type { DataProfile } from '../../domain/data-profile.ts'
import type { FoundPhrase } from './phrases/phrases.ts'
import { Reading, type Finding } from './reading.ts'
import { resolveFindings } from './resolve-findings.ts'
import { findWishes } from './wishes/find-wishes.ts'

/** A prompt, and all that was found in it. */
export interface ReadWishes {
  reading: Reading
  /** None of them shares words with another. */
  findings: Finding[]
  /** What the forecast is for; null where the prompt does not say it. */
  objective: { value: string, from: number, to: number } | null
  /** A language model has read it too: what it left out of a sentence that it used is no lost wish. */
  isByModel?: boolean
}

const maxObjectiveWords = 24

/** What the table of phrases and the names of the data find in a prompt. */
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

/** What the forecast is for, in the words of the sender. */
function readObjective ({ text }: Reading, { value: kind, from, to }: FoundPhrase): ReadWishes['objective'] {
  // Of `so that we can` the rest is the objective, of `to plan` and `for planning` all but the preposition.
  const first = kind === 'behind' ? to : /^(?:to|for)$/.test(text.key(from)) ? from + 1 : from
  const isEnd = (at: number): boolean =>
    /^[.,:()]$/.test(text.key(at)) ||
    (at > first + 1 && /^(?:next|until|through|using|with|excluding)$/.test(text.key(at)))
  let last = first
  while (last < text.tokens.length && last < first + maxObjectiveWords && !isEnd(last)) last++
  const value = text.source(first, last).replaceAll(/\s+/g, ' ').trim()
  return value === '' ? null : { value: value.slice(0, 200), from, to: last }
}
