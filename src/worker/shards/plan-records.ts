import type { ResultFile } from '../../domain/files.ts'
import type { JobWarning, SourceRead } from '../../domain/job-result.ts'
import { decodeMessage, encodeMessage } from '../../platform/queue/index.ts'
import type { ForecastFacts } from '../slot-messages.ts'

/* The small objects beside the engine's files of a plan and its parts. */

/** `context.cbor`: what a later run needs to go on from a plan without reading the input. */
export interface PlanContext {
  v: number
  /** The release that made the plan. */
  release: string
  /** The hash of `plan.bin`. */
  sha256: string
  shards: number
  known: ForecastFacts
  /** Of an input from a tenant's own store. */
  source?: SourceRead
  warnings?: JobWarning[]
}

/** `<N>/part.cbor`: the part of a shard. It is stored last, and only once for a shard. */
export interface PartRecord {
  v: number
  /** The hash of the plan. */
  plan: string
  shard: number
  /** Its files are in the folder of this name. */
  maker: string
  files: ResultFile[]
  /** Seconds by stage. */
  timings: Record<string, number>
}

export const maxContextBytes = 4 * 2 ** 20
export const maxPartRecordBytes = 64 * 2 ** 10

export function encodeRecord (record: PlanContext | PartRecord): Uint8Array {
  return encodeMessage(record)
}

export function decodeContext (bytes: Uint8Array): PlanContext {
  return decodeMessage<PlanContext>(bytes, 'plan context', ['release', 'sha256', 'shards', 'known'])
}

export function decodePart (bytes: Uint8Array): PartRecord {
  return decodeMessage<PartRecord>(bytes, 'part record', ['plan', 'shard', 'maker', 'files', 'timings'])
}
