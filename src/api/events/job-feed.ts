import type { Entry } from '../../platform/metadata/metadata-store.ts'
import { isTerminal, type JobRecord } from '../../services/jobs/job-record.ts'
import type { JobProgress } from '../../services/jobs/job-service.ts'
import { renderProgress } from '../render-job-life.ts'
import { renderJobText } from '../render-job.ts'

/** The next events for a reader; an empty text: none. */
export interface NextEvents {
  text: string
  isLast: boolean
  /** May be skipped, because a later event contains more. */
  isLossy: boolean
}

/**
 * The events of one job for one reader, as server-sent events. `state` and `delivery` have the revision of the record
 * as their id; `progress` has none, because it is stored nowhere. Only changes are sent.
 */
export class JobFeed {
  readonly #jobId: string
  /** The revision of the last event that the reader has had; null: the reader starts anew. */
  #revision: number | null
  #state = ''
  #sending = ''
  #progress = ''

  constructor (jobId: string, lastRevision: number | null) {
    this.#jobId = jobId
    this.#revision = lastRevision
  }

  /** `entry` undefined: the job was deleted or has expired. */
  next (entry: Entry<JobRecord> | undefined, progressOf: (record: JobRecord) => JobProgress | null): NextEvents {
    if (entry === undefined) {
      return { text: event('deleted', JSON.stringify({ job_id: this.#jobId })), isLast: true, isLossy: false }
    }
    const { value: record, revision } = entry
    const isLast = isTerminal(record) && !isSending(record)
    const state = `${record.status} ${record.attempt}`
    const sending = JSON.stringify(sendingOf(record))
    const isKnown = this.#state === '' && this.#revision === revision
    const changed = { state: state !== this.#state && !isKnown, sending: sending !== this.#sending && !isKnown }
    this.#state = state
    this.#sending = sending
    this.#revision = revision
    const progress = progressOf(record)
    if (changed.state) {
      this.#progress = JSON.stringify(progress)
      return { text: event('state', renderJobText(record, progress), revision), isLast, isLossy: false }
    }
    if (changed.sending) return { text: event('delivery', sending, revision), isLast, isLossy: false }
    return { text: this.#progressText(progress), isLast, isLossy: true }
  }

  #progressText (progress: JobProgress | null): string {
    const text = progress === null ? '' : JSON.stringify(renderProgress(progress))
    if (text === this.#progress || text === '') return ''
    this.#progress = text
    return event('progress', text)
  }
}

/** What continues after a job has ended. */
function sendingOf ({ jobId, callback, delivery }: JobRecord) {
  return {
    job_id: jobId,
    delivery_status: delivery?.status ?? null,
    delivery_uri: delivery?.uri ?? null,
    delivery_error: delivery?.error ?? null,
    callback_status: callback?.status ?? null
  }
}

function isSending ({ callback, delivery }: JobRecord): boolean {
  return [callback?.status, delivery?.status].some((status) => status === 'pending' || status === 'delivering')
}

/** JSON text has no line breaks, so one line of data is enough. */
function event (name: string, data: string, revision?: number): string {
  return `${revision === undefined ? '' : `id: ${revision}\n`}event: ${name}\ndata: ${data}\n\n`
}
