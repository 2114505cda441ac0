import type { JobRecord } from './job-record.ts'

/** A message in the queue: the dispatch that it belongs to, and its sequence number. */
export interface Sent {
  dispatch: number
  sequence: number
}

/**
 * Messages that are in the queue, which no record says yet. The claim of a job writes that down with the run; until
 * then the outbox entry of the job stays on disk, and a restart publishes the message again under the same id.
 */
export class SentMessages {
  readonly #sent = new Map<string, Sent>()

  note (jobId: string, sent: Sent): void {
    this.#sent.set(jobId, sent)
  }

  has (jobId: string): boolean {
    return this.#sent.has(jobId)
  }

  /** The message of the record's dispatch. */
  of ({ jobId, dispatch }: Pick<JobRecord, 'jobId' | 'dispatch'>): Sent | undefined {
    const sent = this.#sent.get(jobId)
    return sent?.dispatch === dispatch ? sent : undefined
  }

  /** The record as it is once that is written. */
  noted (record: JobRecord): JobRecord {
    const sent = this.of(record)
    return sent === undefined ? record : { ...record, streamSequence: sent.sequence }
  }

  forget (jobId: string): void {
    this.#sent.delete(jobId)
  }
}
