import type { CallbackMessage } from './tables.ts'

/** Standard Webhooks asks for payloads of less than 20 KB. */
const maxBytes = 20_000
/** What a receiver needs to fetch the rest. */
const kept: ReadonlySet<string> = new Set(['job_id', 'status', 'created_at', 'job_type'])

/**
 * The body of a callback; `job` is the job as GET answers it. Of one that is too large the largest fields become null,
 * as few as possible, and `omitted` names them.
 */
export function callbackBody ({ type, atMs }: Pick<CallbackMessage, 'type' | 'atMs'>, job: object): string {
  const fields = Object.entries(job).map(([name, value]) => ({ name, bytes: Buffer.byteLength(JSON.stringify(value) ?? '') }))
  const largest = fields.filter(({ name }) => !kept.has(name)).sort((a, b) => b.bytes - a.bytes)
  const data: Record<string, unknown> = { ...job }
  const omitted: string[] = []
  for (;;) {
    const envelope = { type, timestamp: new Date(atMs).toISOString(), data }
    const body = JSON.stringify(omitted.length === 0 ? envelope : { ...envelope, omitted })
    const next = largest[omitted.length]
    if (Buffer.byteLength(body) < maxBytes || next === undefined) return body
    data[next.name] = null
    omitted.push(next.name)
  }
}
