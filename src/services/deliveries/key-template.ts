import type { OutputFormat } from '../../domain/files.ts'
import { checkObjectKey } from '../../sources/connectors/object-key.ts'
import { probePrefix } from '../../sources/connectors/source-parts.ts'

/** The default key, whose extension is the format. */
export function defaultTemplate (fileFormat: OutputFormat): string {
  return `service-forecasts/{date}/{job_id}.${fileFormat}`
}

/** What is wrong with a template, as the end of a sentence; undefined when it is fine. */
export function templateFault (template: string): string | undefined {
  const unknown = /\{[^{}]*\}?|\}/.exec(template.replaceAll(/\{(?:job_id|date)\}/g, ''))
  if (unknown !== null) return 'only {job_id} and {date} can be filled in'
  try {
    const key = checkObjectKey(resolveKey(template, 'job_00000000000000000000000000', 0))
    return key.startsWith(probePrefix) ? `keys that begin with ${probePrefix} are used by connection tests` : undefined
  } catch {
    return 'not an object key: at most 1,024 bytes, no leading slash, no "..", no backslash, no control character'
  }
}

/** `{date}` is the UTC date of `atMs`, the end of the job. */
export function resolveKey (template: string, jobId: string, atMs: number): string {
  return template.replaceAll('{job_id}', jobId).replaceAll('{date}', new Date(atMs).toISOString().slice(0, 10))
}
