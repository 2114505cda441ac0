import { setImmediate as pause } from 'node:timers/promises'
import { encodeTime } from 'ulid'
import type { ErrorCode } from '../../domain/error-codes.ts'
import type { ResultFile } from '../../domain/files.ts'
import type { JobResult } from '../../domain/job-result.ts'
import { messageVersion } from '../../domain/message-version.ts'
import type { Entry, Key, KeyedEntry, MetadataStore, Table,
  Transaction } from '../../platform/metadata/metadata-store.ts'
import type { ClaimReply, ClaimRequest, GivenBack } from '../../platform/queue/job-messages.ts'
import { jobPrefix } from '../../platform/store/keys.ts'
import type { JobObserver } from './job-observer.ts'
import { isTerminal, type JobRecord } from './job-record.ts'
import { lateCsv } from './late-csv.ts'
import { RecentRecords } from './recent-records.ts'
import { SentMessages, type Sent } from './sent-messages.ts'
import type { ActiveEntry, ExpiryEntry, OutboxEntry, SweepEntry, Tombstone } from './tables.ts'
import { applyResult, fail, giveBack, grantRun, loseResult, outgrow, preempt,
  type AttemptLimits } from './transitions.ts'
import { defined } from '../../platform/defined.ts'

export interface LedgerOptions {
  attempts: AttemptLimits
  /** How long the ended jobs of a tenant are kept. */
  retentionMs: (tenant: string) => number
  /** Wall clock in milliseconds, for records and expiry. */
  now: () => number
  /** They write in the transactions that create, end and delete a job. */
  followers?: readonly JobFollower[]
  observer?: JobObserver | undefined
  /** An open job has ended or was deleted; called once that is on disk. Must not throw. */
  onClosed?: (record: JobRecord) => void
}

/** A service whose own records follow the life of jobs. */
export interface JobFollower {
  /** A job is being recorded; throwing undoes it. */
  created?(tx: Transaction, record: JobRecord): void
  /** `record` is the ended job; the returned record is written in its place. */
  ended?(tx: Transaction, record: JobRecord): JobRecord
  /** A file was added to the result later. */
  filed?(tx: Transaction, record: JobRecord): void
  /** The job was deleted or has expired. */
  buried?(tx: Transaction, record: JobRecord): void
}

/** The returned record is written in place of `record`; other writes go into the same transaction. */
export type Amendment = (record: JobRecord, tx: Transaction) => JobRecord

export interface AppliedResult {
  /** The current record; undefined when the job was deleted. */
  record: JobRecord | undefined
  /** Whether this result ended the job. */
  decided: boolean
}

export interface JobPlace {
  tenant: string
  jobId: string
}

/** Time that a transaction over many jobs may block the event loop. */
const transactionMs = 5
/** Entries of the index of open jobs that are read at once. */
const openPage = 500
/** Longer than a worker takes to stop a run. */
const lateWriteMs = 5_000

export interface Sweep {
  dueMs: number
  prefix: string
  /** The run whose objects stay; null: none. */
  keepRun: string | null
}

/**
 * The records of all jobs. Each method is one transaction that changes a record together with its indexes, and resolves
 * once it is on disk. Nothing else writes the job tables.
 */
export class JobLedger {
  readonly sent = new SentMessages()
  readonly #metadata: MetadataStore
  readonly #options: LedgerOptions
  readonly #followers: readonly JobFollower[]
  readonly #jobs: Table<JobRecord>
  readonly #recent: RecentRecords<JobRecord>
  readonly #active: Table<ActiveEntry>
  readonly #outbox: Table<OutboxEntry>
  readonly #expiry: Table<ExpiryEntry>
  readonly #tombstones: Table<Tombstone>
  readonly #sweeps: Table<SweepEntry>

  constructor (metadata: MetadataStore, options: LedgerOptions) {
    this.#metadata = metadata
    this.#options = options
    this.#followers = options.followers ?? []
    this.#jobs = metadata.table('jobs')
    this.#recent = new RecentRecords(this.#jobs)
    this.#active = metadata.table('active')
    this.#outbox = metadata.table('outbox')
    this.#expiry = metadata.table('expiry')
    this.#tombstones = metadata.table('tombstones')
    this.#sweeps = metadata.table('sweeps')
  }

  get (tenant: string, jobId: string): JobRecord | undefined {
    return this.#recent.get([tenant, jobId])
  }

  /** The stored size of the record, which is not read for this; undefined when there is none. */
  bytes (tenant: string, jobId: string): number | undefined {
    return this.#recent.bytes([tenant, jobId])
  }

  /** Whether the record exists; it may be long, so it is not decoded. */
  has (tenant: string, jobId: string): boolean {
    return this.#jobs.revision([tenant, jobId]) !== undefined
  }

  /** An open job of any tenant. */
  find (jobId: string): JobRecord | undefined {
    const entry = this.#active.get([jobId])
    return entry === undefined ? undefined : this.get(entry.value.tenant, jobId)
  }

  /** With its revision, which grows with each change. */
  entry (tenant: string, jobId: string): Entry<JobRecord> | undefined {
    return this.#recent.entry([tenant, jobId])
  }

  /** A tenant's records, newest first, older than `before` (a job id). */
  newestFirst (tenant: string, before: string | null): Iterable<KeyedEntry<JobRecord>> {
    const range = before === null
      ? { prefix: [tenant], reverse: true }
      : { start: [tenant], end: [tenant, before], reverse: true }
    return this.#jobs.range(range)
  }

  /** The keys of all open jobs, oldest first, without their records. The caller may pause between two of them. */
  *openPlaces (): Iterable<JobPlace> {
    for (let last: Key | undefined;;) {
      const page = [...this.#active.range({ ...defined({ start: last }), limit: openPage })]
      for (const { key, value } of page) if (key[0] !== last?.[0]) yield { tenant: value.tenant, jobId: String(key[0]) }
      if (page.length < openPage) return
      last = page.at(-1)?.key
    }
  }

  /** All open jobs, oldest first, each read only when it is reached. */
  *open (): Iterable<JobRecord> {
    for (const { tenant, jobId } of this.openPlaces()) {
      const record = this.#jobs.get([tenant, jobId])?.value
      if (record !== undefined) yield this.sent.noted(record)
    }
  }

  /** All jobs, by tenant. */
  *every (): Iterable<JobRecord> {
    for (const { value } of this.#jobs.range()) yield value
  }

  isInOutbox (jobId: string): boolean {
    return !this.sent.has(jobId) && this.#outbox.revision([jobId]) !== undefined
  }

  /** Records all of them or none. `within` runs in the same transaction, after the records are written. */
  async create (records: readonly JobRecord[], within: (tx: Transaction) => void = () => undefined): Promise<void> {
    await this.#metadata.transact((tx) => {
      for (const record of records) {
        if (!tx.createIfAbsent(this.#jobs, [record.tenant, record.jobId], record)) {
          throw new Error(`job id ${record.jobId} is taken`)
        }
        tx.put(this.#active, [record.jobId], { tenant: record.tenant })
        tx.put(this.#outbox, [record.jobId], { tenant: record.tenant })
        for (const follower of this.#followers) follower.created?.(tx, record)
      }
      within(tx)
    }, records[0]?.tenant)
    for (const record of records) this.#options.observer?.created(record)
  }

  /**
   * Changes a job that has ended, and must keep its outcome. Writes nothing when `change` returns the record itself.
   * undefined when there is no such job.
   */
  async amend (tenant: string, jobId: string, change: Amendment): Promise<JobRecord | undefined> {
    return await this.#metadata.transact((tx) => {
      const before = tx.get(this.#jobs, [tenant, jobId])?.value
      if (before === undefined || !isTerminal(before)) return undefined
      const after = change(before, tx)
      if (after !== before) tx.put(this.#jobs, [tenant, jobId], after)
      return after
    }, tenant)
  }

  /** Notes that the queue has the message. False when the job is gone, so that the message has to go too. */
  async published (tenant: string, jobId: string, { dispatch, sequence }: Sent): Promise<boolean> {
    const isThere = await this.#metadata.transact((tx) => {
      const record = this.#read(tx, tenant, jobId)
      if (record === undefined) return false
      if (record.dispatch !== dispatch || isTerminal(record)) return true
      tx.delete(this.#outbox, [jobId])
      tx.put(this.#jobs, [tenant, jobId], { ...record, streamSequence: sequence })
      return true
    })
    if (this.sent.of({ jobId, dispatch }) !== undefined) this.sent.forget(jobId)
    return isThere
  }

  /** Puts an open job back into the outbox under a new dispatch number; undefined when it is no longer open. */
  async redispatch (tenant: string, jobId: string): Promise<JobRecord | undefined> {
    const again = await this.#metadata.transact((tx) => {
      const entry = tx.get(this.#jobs, [tenant, jobId])
      if (entry === undefined || isTerminal(entry.value)) return undefined
      const record: JobRecord = { ...entry.value, dispatch: entry.value.dispatch + 1, streamSequence: null }
      tx.put(this.#jobs, [tenant, jobId], record)
      tx.put(this.#outbox, [jobId], { tenant })
      return record
    })
    if (again === undefined) return undefined
    this.sent.forget(jobId)
    this.#options.observer?.redispatched(again)
    return again
  }

  /** Calls `isAlive` inside the transaction, so that only one of several simultaneous claims is granted. */
  async claim (request: ClaimRequest,
    isAlive: (run: string) => boolean): Promise<{ reply: ClaimReply, record: JobRecord | undefined }> {
    const { tenant, jobId } = request
    const { reply, before, after } = await this.#metadata.transact((tx) => {
      const before = this.#read(tx, tenant, jobId)
      if (before === undefined) {
        return {
          reply: { v: messageVersion, go: false as const, reason: 'deleted' as const },
          before,
          after: undefined
        }
      }
      const alive = before.run !== null && isAlive(before.run)
      const { reply, record } = grantRun(before, request, this.#options.attempts, this.#options.now(), alive)
      if (record === null) return { reply, before, after: undefined }
      if (this.sent.of(record) !== undefined) tx.delete(this.#outbox, [jobId])
      return { reply, before, after: this.#write(tx, this.sent.noted(record)) }
    })
    if (before !== undefined && after !== undefined) {
      this.sent.forget(jobId)
      this.#claimed(before, after)
    }
    return { reply, record: after ?? before }
  }

  /** Records that a worker gave a run back; undefined when that changes nothing. */
  async giveBack (request: GivenBack): Promise<JobRecord | undefined> {
    const { tenant, jobId } = request
    const after = await this.#metadata.transact((tx) => {
      const before = tx.get(this.#jobs, [tenant, jobId])?.value
      const after = before === undefined ? undefined : giveBack(before, request, this.#options.now())
      return after === undefined ? undefined : this.#write(tx, after)
    })
    if (after !== undefined && isTerminal(after)) this.#ended(after)
    return after
  }

  /** Takes the job from its run and puts it back into the outbox as a new dispatch; undefined when no run has it. */
  async preempt (tenant: string, jobId: string): Promise<JobRecord | undefined> {
    return await this.#takeFromRun(tenant, jobId, (record) => preempt(record, this.#options.now()))
  }

  /** Does the same for a small job whose run has taken too long. The job is large from now on. */
  async outgrow (tenant: string, jobId: string, run: string): Promise<JobRecord | undefined> {
    return await this.#takeFromRun(tenant, jobId, (record) => outgrow(record, run))
  }

  /** Does the same for a job whose result is not in the store; it fails when that has happened too often. */
  async loseResult (tenant: string, jobId: string, run: string): Promise<JobRecord | undefined> {
    return await this.#takeFromRun(tenant, jobId, (record) => loseResult(record, run, this.#options.now()))
  }

  async #takeFromRun (tenant: string, jobId: string, change: Change): Promise<JobRecord | undefined> {
    const after = await this.#metadata.transact((tx) => {
      const before = tx.get(this.#jobs, [tenant, jobId])?.value
      const after = before === undefined ? undefined : change(before)
      if (after === undefined) return undefined
      if (!isTerminal(after)) tx.put(this.#outbox, [jobId], { tenant })
      return this.#write(tx, after)
    })
    if (after === undefined) return undefined
    this.sent.forget(jobId)
    if (isTerminal(after)) this.#ended(after)
    else this.#options.observer?.redispatched(after)
    return after
  }

  /** Records a run whose worker could not claim it first. */
  async started (tenant: string, jobId: string, run: string): Promise<JobRecord | undefined> {
    const change = await this.#metadata.transact((tx) => {
      const before = tx.get(this.#jobs, [tenant, jobId])?.value
      if (before === undefined || before.status !== 'pending') return undefined
      const running: JobRecord = {
        ...before,
        status: 'running',
        startedAtMs: this.#options.now(),
        run,
        attempt: before.attempt + 1
      }
      return { before, running: this.#write(tx, running) }
    })
    if (change !== undefined) this.#claimed(change.before, change.running)
    return change?.running
  }

  /** Fails an open job that no run can complete; undefined when it is no longer open. */
  async fail (tenant: string, jobId: string, code: ErrorCode, error: string): Promise<JobRecord | undefined> {
    const failed = await this.#metadata.transact((tx) => {
      const record = tx.get(this.#jobs, [tenant, jobId])?.value
      return record === undefined || isTerminal(record)
        ? undefined
        : this.#write(tx, fail(record, code, error, this.#options.now()))
    })
    if (failed !== undefined) this.#ended(failed)
    return failed
  }

  /**
   * Applies the ends of runs in order, in one transaction: always the first, and as many more as a short transaction
   * allows.
   */
  async applyResults (results: ReadonlyArray<{ tenant: string, result: JobResult }>): Promise<AppliedResult[]> {
    const applied = await this.#metadata.transact((tx) => {
      const endMs = performance.now() + transactionMs
      const done: AppliedResult[] = []
      for (const { tenant, result } of results) {
        if (done.length > 0 && performance.now() >= endMs) break
        done.push(this.#applyResult(tx, tenant, result))
      }
      return done
    })
    for (const { record, decided } of applied) {
      if (decided && record !== undefined) this.#ended(record)
    }
    return applied
  }

  /** Adds a file to the outputs of a run; undefined when these are not, or no longer, the job's outputs. */
  async addFile (tenant: string, jobId: string, run: string, file: ResultFile): Promise<JobRecord | undefined> {
    return await this.#metadata.transact((tx) => {
      const record = tx.get(this.#jobs, [tenant, jobId])?.value
      if (record === undefined || record.winner !== run) return undefined
      const files = [...record.files.filter(({ name }) => name !== file.name), file]
      const completed: JobRecord = { ...record, files }
      tx.put(this.#jobs, [tenant, jobId], completed)
      for (const follower of this.#followers) follower.filed?.(tx, completed)
      return completed
    })
  }

  /** Writes the tombstone and removes the record and its indexes; undefined when there is no such job. */
  async delete (tenant: string, jobId: string, within?: Within): Promise<JobRecord | undefined> {
    return this.#buried(await this.#metadata.transact((tx) => {
      const record = this.#bury(tx, tenant, jobId)
      if (record !== undefined) within?.(tx, record)
      return record
    }, tenant))
  }

  /**
   * Deletes up to `limit` expired jobs, or fewer when that takes long, since each is read. An empty result means that
   * none are left.
   */
  async expire (limit: number): Promise<JobRecord[]> {
    const due = [...this.#expiry.range({ end: [this.#options.now()], limit })]
    if (due.length === 0) return []
    const expired = await this.#metadata.transact((tx) => {
      const endMs = performance.now() + transactionMs
      const buried: JobRecord[] = []
      for (const { key, value } of due) {
        if (buried.length > 0 && performance.now() >= endMs) break
        tx.delete(this.#expiry, key)
        const record = this.#bury(tx, value.tenant, String(key[1]))
        if (record !== undefined) buried.push(record)
      }
      return buried
    })
    for (const record of expired) this.#buried(record)
    return expired
  }

  isBuried (jobId: string): boolean {
    return this.#tombstones.get([jobId]) !== undefined
  }

  /** Deletes old tombstones, `batch` at a time. They are needed only while a run of their job may still be alive. */
  async forgetTombstones (olderThanMs: number, batch: number): Promise<void> {
    const edge = this.#options.now() - olderThanMs
    // Ids begin with the creation time of their job, so the jobs behind this id were deleted later.
    const end = [`job_${encodeTime(Math.max(0, edge), 10)}`]
    let start: Key | undefined
    for (let isLast = false; !isLast;) {
      const page = [...this.#tombstones.range({ ...defined({ start }), end, limit: batch })]
      const old = page.filter(({ value }) => value.deletedAtMs < edge)
      if (old.length > 0) {
        await this.#metadata.transact((tx) => {
          for (const { key } of old) tx.delete(this.#tombstones, key)
        })
      } else await pause()
      isLast = page.length < batch
      start = page.at(-1)?.key
    }
  }

  /** Schedules the deletion of objects under the prefix, except those of one run. */
  async scheduleSweep (dueMs: number, prefix: string, keepRun: string | null): Promise<void> {
    await this.#metadata.transact((tx) => tx.put(this.#sweeps, [dueMs, prefix], { keepRun }))
  }

  /** Those that were due first; `after`: those behind this one. */
  dueSweeps (limit: number, after?: Sweep): Sweep[] {
    const start = after === undefined ? {} : { start: [after.dueMs, after.prefix] }
    const skipped = after === undefined ? 0 : 1
    return [...this.#sweeps.range({ ...start, end: [this.#options.now()], limit: limit + skipped })]
      .filter(({ key }) => key[0] !== after?.dueMs || key[1] !== after?.prefix)
      .slice(0, limit)
      .map(({ key, value }) => ({ dueMs: Number(key[0]), prefix: String(key[1]), keepRun: value.keepRun }))
  }

  async sweepDone (dueMs: number, prefix: string): Promise<void> {
    await this.#metadata.transact((tx) => tx.delete(this.#sweeps, [dueMs, prefix]))
  }

  #read (tx: Transaction, tenant: string, jobId: string): JobRecord | undefined {
    return this.#recent.known([tenant, jobId]) ?? tx.get(this.#jobs, [tenant, jobId])?.value
  }

  #claimed (before: JobRecord, after: JobRecord): void {
    this.#options.observer?.claimed(before, after)
    if (isTerminal(after)) this.#ended(after)
  }

  #buried (record: JobRecord | undefined): JobRecord | undefined {
    if (record === undefined) return undefined
    this.#options.observer?.buried(record)
    if (!isTerminal(record)) this.#options.onClosed?.(record)
    return record
  }

  #ended (record: JobRecord): void {
    this.#options.observer?.ended(record)
    this.#options.onClosed?.(record)
  }

  #applyResult (tx: Transaction, tenant: string, result: JobResult): AppliedResult {
    const before = this.#read(tx, tenant, result.jobId)
    if (before === undefined) return { record: undefined, decided: false }
    const record = applyResult(before, result, this.#options.now())
    if (record === undefined) return { record: before, decided: false }
    return { record: this.#write(tx, record), decided: true }
  }

  #write (tx: Transaction, record: JobRecord): JobRecord {
    const key = [record.tenant, record.jobId]
    if (!isTerminal(record)) {
      tx.put(this.#jobs, key, record)
      return record
    }
    const expiresAtMs = (record.completedAtMs ?? this.#options.now()) + this.#options.retentionMs(record.tenant)
    const ended = this.#followers.reduce<JobRecord>((job, follower) => follower.ended?.(tx, job) ?? job, {
      ...record,
      expiresAtMs
    })
    tx.put(this.#jobs, key, ended)
    tx.put(this.#expiry, [expiresAtMs, record.jobId], { tenant: record.tenant })
    tx.delete(this.#active, [record.jobId])
    tx.delete(this.#outbox, [record.jobId])
    return ended
  }

  #bury (tx: Transaction, tenant: string, jobId: string): JobRecord | undefined {
    const record = tx.get(this.#jobs, [tenant, jobId])?.value
    if (record === undefined) return undefined
    const nowMs = this.#options.now()
    tx.put(this.#tombstones, [jobId], { tenant, deletedAtMs: nowMs })
    tx.delete(this.#jobs, [tenant, jobId])
    tx.delete(this.#active, [jobId])
    tx.delete(this.#outbox, [jobId])
    if (record.expiresAtMs !== null) tx.delete(this.#expiry, [record.expiresAtMs, jobId])
    for (const follower of this.#followers) follower.buried?.(tx, record)
    const prefix = jobPrefix(tenant, jobId)
    tx.put(this.#sweeps, [nowMs, prefix], { keepRun: null })
    // The cancelled run may have sent writes that arrive later.
    if (record.status === 'running') tx.put(this.#sweeps, [nowMs + lateWriteMs, prefix], { keepRun: null })
    // A conversion in progress would store its file later.
    const late = lateCsv(record)
    if (late !== undefined) tx.put(this.#sweeps, [nowMs + late.budgetMs, prefix], { keepRun: null })
    return record
  }
}

/** A change of an open job; undefined leaves it as it is. */
type Change = (record: JobRecord) => JobRecord | undefined

/** Runs in the transaction of the record, so that both happen or neither; throwing undoes everything. */
export type Within = (tx: Transaction, record: JobRecord) => void

/** Like `Within`, for jobs that are recorded together. */
export type WithinAll = (tx: Transaction, records: readonly JobRecord[]) => void
