import { maxResultBytes, type JobWarning } from '../domain/job-result.ts'
import { encodeMessage } from '../platform/queue/codec.ts'
import { OutputTooLarge } from './output-too-large.ts'
import type { PipelineResult } from './slot-messages.ts'

/** About two hundred sentences. */
const maxWarningBytes = 64 * 1024

/** Returns the same object if there is nothing to leave out. */
type Cut = (result: PipelineResult) => PipelineResult

/** What a job can do without, in the order in which it is left out. */
const cuts: ReadonlyArray<[what: string, cut: Cut]> = [
  ['the examples of anomalies', (result) => {
    const { preparation } = result
    if (preparation === undefined || preparation.anomalies.examples.length === 0) return result
    return { ...result, preparation: { ...preparation, anomalies: { ...preparation.anomalies, examples: [] } } }
  }],
  ['the explanation in words, which is in the report', (result) => {
    if (result.explanation === undefined) return result
    const { explanation: _words, ...rest } = result
    return rest
  }],
  ['the previews of the analyses', (result) => {
    const { explainability } = result
    if (explainability === undefined) return result
    const artifacts = explainability.artifacts.map((artifact) => ({ ...artifact, previewMarkdown: '', highlights: [] }))
    return { ...result, explainability: { ...explainability, artifacts } }
  }]
]

/**
 * Bounds what becomes part of the job's record: everything about a result except its files. The api reads and renders
 * it for all tenants, so it has to stay small. The slot calls this, before the worker receives the result. Throws
 * OutputTooLarge if the result is still too large after every cut.
 */
export function boundResult (result: PipelineResult): PipelineResult {
  const warnings = boundWarnings(result.warnings)
  let left = { ...result, warnings }
  const bytes = bytesOf(left)
  if (bytes <= maxResultBytes) return left
  const gone: string[] = []
  for (const [what, cut] of cuts) {
    const shorter = cut(left)
    if (shorter === left) continue
    gone.push(what)
    const message =
      `A job keeps ${maxResultBytes} bytes of what is told of its result, and this one has ${bytes}. Left out: ${
        gone.join('; ')
      }.`
    left = { ...shorter, warnings: [...warnings, { code: 'result_shortened', message, count: gone.length }] }
    if (bytesOf(left) <= maxResultBytes) return left
  }
  throw new OutputTooLarge(
    `What is told of the result has ${
      bytesOf(left)
    } bytes, and a job keeps ${maxResultBytes}. Use fewer columns, filters and levels, or shorter names.`
  )
}

/** Keeps the first warnings and adds one that counts the rest. */
export function boundWarnings (warnings: readonly JobWarning[]): JobWarning[] {
  let bytes = 0
  const end = warnings.findIndex((warning) => {
    bytes += bytesOf(warning)
    return bytes > maxWarningBytes
  })
  if (end < 0) return [...warnings]
  const count = warnings.length - end
  return [...warnings.slice(0, end), {
    code: 'warnings_left_out',
    message: `${count} more ${
      count === 1 ? 'warning is' : 'warnings are'
    } left out: a job keeps ${maxWarningBytes} bytes of them.`,
    count
  }]
}

/** The size as the worker stores it. */
function bytesOf (value: object): number {
  return encodeMessage(value as { v: number }).length
}
