import type { CallbackMessage } from './tables.ts'

/** Standard Webhooks asks for payloads below 20 KB. */
const maxBytes = 20_000
/** The size of a body without the data of the job. */
const envelopeBytes = 100
/** Kept in any case, because a receiver needs them to fetch the rest. */
const kept: ReadonlySet<string> = new Set(['job_id', 'status', 'created_at', 'job_type'])

/** The job as JSON, and the fields that were dropped (null) because the body would be too large. */
export interface CallbackData {
  json: string
  omitted: readonly string[]
}

/** `job`: as GET returns it. When it is too large, the largest fields become null, as few as possible. */
export function callbackData (job: object): CallbackData {
  const fields = Object.entries(job).filter(([, value]) => value !== undefined).map(([name, value]) => {
    const text = JSON.stringify(value)
    return { name, text, bytes: Buffer.byteLength(text) }
  })
  let bytes = fields.reduce((sum, field) => sum + JSON.stringify(field.name).length + field.bytes + 2, envelopeBytes)
  const omitted: string[] = []
  for (const field of fields.filter(({ name }) => !kept.has(name)).sort((a, b) => b.bytes - a.bytes)) {
    if (bytes < maxBytes) break
    bytes += 'null'.length - field.bytes + JSON.stringify(field.name).length + 1
    field.text = 'null'
    omitted.push(field.name)
  }
  return { json: `{${fields.map(({ name, text }) => `${JSON.stringify(name)}:${text}`).join(',')}}`, omitted }
}

export function callbackBody ({ type, atMs }: Pick<CallbackMessage, 'type' | 'atMs'>,
  { json, omitted }: CallbackData): string {
  const rest = omitted.length === 0 ? '' : `,"omitted":${JSON.stringify(omitted)}`
  return `{"type":"${type}","timestamp":"${new Date(atMs).toISOString()}","data":${json}${rest}}`
}
