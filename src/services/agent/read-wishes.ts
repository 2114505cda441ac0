import type { DataProfile } from '../../domain/data-profile.ts'
import { readObjective } from './business-objective.ts'
import { readPrompt } from './read-prompt.ts'
import { resolveFindings } from './resolve-findings.ts'
import { rules } from './rules/index.ts'
import type { Finding, Reading } from './rules/rule.ts'

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

/** What the rules find in a prompt. */
export function readWishes (prompt: string, data: DataProfile): ReadWishes {
  const reading = readPrompt(prompt, data)
  const findings = resolveFindings(rules.flatMap((rule) => rule(reading)), reading.text.tokens.length)
  return { reading, findings, objective: readObjective(reading.text) }
}
