import type { Logger } from 'pino'
import { TabcastError } from '../errors.ts'
import { repeat } from '../time/repeat.ts'
import type { ArrivingBytes } from './arriving-bytes.ts'
import { freeBytes } from './free-bytes.ts'
import { measureFolder } from './measure-folder.ts'
import { PromisedBytes } from './promised-bytes.ts'

export interface DiskSpaceOptions {
  /** The data folder. */
  folder: string
  /**
   * Its subfolder for current runs. It does not count, because it has a limit of its own (`ScratchSpace`) and is
   * emptied after each run.
   */
  scratch?: string
  /** The most bytes that the data folder may have; 0: limited by the disk only. */
  maxBytes: number
  /**
   * The space that uploads and jobs leave free on the disk, so that accepted work can be finished, read and deleted; 0:
   * none.
   */
  minFreeBytes: number
  log: Logger
}

/**
 * The share of the available space that current uploads of one tenant, results of its open jobs, and CSV files made for
 * it, may take. The rest stays for other tenants, whatever this one sends.
 */
const shareOfTenant = 0.75
/**
 * A tenant that needs at most this share of the space needs none beside the promised results of others. Those are high
 * estimates, and a few tenants' could otherwise keep all others out for as long as their jobs wait.
 */
const exemptShare = 0.01
const retryAfterSeconds = 30
/**
 * How many bytes of an upload, or of a tenant's unannounced bytes, may arrive between two checks of the available
 * space.
 */
const lookBytes = 4 * 2 ** 20
const measureMs = 10_000
/**
 * Measuring a million files takes five seconds of a core, so the next measurement waits this many times as long as the
 * last one took.
 */
const restTimes = 9

/** The current uploads of a tenant. */
interface Arriving {
  uploads: number
  /** Bytes that were announced, or arrived beyond the announcement. */
  held: number
  come: number
  /** The part of `come` that was in the folder when it was last measured. */
  measured: number
  /** Unannounced bytes since the last check. */
  unannounced: number
}

const none: Readonly<Arriving> = { uploads: 0, held: 0, come: 0, measured: 0, unannounced: 0 }

/** Bytes admitted since the last measurement began, and those admitted before it, which count until it ends. */
interface LetIn {
  since: number
  before: number
}

interface Upload extends LetIn {
  own: Arriving
  come: number
  /** The part of `come` that was in the folder when it was last measured. */
  measured: number
}

/**
 * Decides whether the data folder can take more. The disk is asked each time. The folder is measured every 10 seconds,
 * or less often if that takes long; bytes that were admitted since are added, so that a burst cannot exceed the quota.
 */
export class DiskSpace {
  readonly #options: DiskSpaceOptions
  readonly #looking: { stop: () => Promise<void> }
  #isShort = false
  /** Measurements run one after the other: two at a time would both forget what was admitted. */
  #current = Promise.resolve()
  #usedBytes = 0
  readonly #stopping = new AbortController()
  #restsUntilMs = 0
  readonly #letIn: LetIn = { since: 0, before: 0 }
  /** The current uploads. */
  readonly #uploads = new Set<Upload>()
  /** Current uploads by tenant. */
  readonly #arriving = new Map<string, Arriving>()
  readonly #promised = new PromisedBytes()

  constructor (options: DiskSpaceOptions) {
    this.#options = options
    const hasQuota = options.maxBytes > 0
    this.#looking = repeat('disk room', measureMs, options.log, async () => {
      await this.#current.catch(() => undefined)
      if (hasQuota && performance.now() >= this.#restsUntilMs) await this.measure()
      this.#logChange()
    })
    if (hasQuota) {
      this.measure().catch((error: unknown) =>
        options.log.error({ err: error }, 'the data folder could not be measured')
      )
    }
  }

  /** Throws if the folder has no space for this many bytes of the tenant. Reading and deleting go on. */
  check (tenant: string, bytes = 0): void {
    this.#assertRoomOf(tenant, bytes)
    this.#letIn.since += bytes
  }

  /**
   * For requests that leave a few small records and no files, such as a new secret in place of a stolen one. They still
   * work when uploads and jobs have no space, until half of the reserve is used up.
   */
  checkRecords (): void {
    const reason = this.#shortOfDisk(this.#options.minFreeBytes / 2)
    if (reason !== undefined) throw refusal(reason)
  }

  /**
   * Admits an upload, or a file that is being made, with the announced number of bytes; 0: not announced. Throws if
   * there is no space for them, now or while they arrive. Otherwise many uploads at once, or unannounced bytes, would
   * fill the disk. Also throws if the tenant's uploads would exceed its share.
   */
  arriving (tenant: string, announced: number): ArrivingBytes {
    this.#assertAdmitted(tenant, announced)
    const own = this.#arriving.get(tenant) ?? { ...none }
    const upload: Upload = { own, since: 0, before: 0, come: 0, measured: 0 }
    let held = 0
    const hold = (bytes: number): void => {
      held += bytes
      own.held += bytes
      upload.since += bytes
      this.#letIn.since += bytes
    }
    own.uploads++
    this.#arriving.set(tenant, own)
    this.#uploads.add(upload)
    hold(announced)
    let sinceLook = 0
    return {
      come: (bytes) => {
        upload.come += bytes
        own.come += bytes
        sinceLook += bytes
        const more = Math.max(0, upload.come - held)
        hold(more)
        own.unannounced += more
        if (own.unannounced >= lookBytes) {
          this.#assertAdmitted(tenant, 0)
          own.unannounced = 0
        } else if (sinceLook >= lookBytes) {
          // It was admitted before others were promised what is left.
          const reason = this.shortage(0, 0)
          if (reason !== undefined) throw refusal(reason)
          sinceLook = 0
        }
      },
      release: (isKept) => {
        this.#takeBack(upload, isKept ? Math.max(0, announced - upload.come) : Infinity)
        if (!isKept) this.#usedBytes -= upload.measured
        own.held -= held
        own.come -= upload.come
        own.measured -= upload.measured
        this.#uploads.delete(upload)
        if (--own.uploads === 0) this.#arriving.delete(tenant)
      }
    }
  }

  /**
   * Keeps space for bytes that are written later, such as the result of a job, until `endPromise`. Throws if there is
   * none, or if the tenant would exceed its share.
   */
  promise (tenant: string, id: string, bytes: number): void {
    this.#assertAdmitted(tenant, bytes)
    this.#promised.add(tenant, id, bytes)
  }

  /** Counts what an earlier process has promised, whatever space is left. */
  promiseAgain (tenant: string, id: string, bytes: number): void {
    this.#promised.add(tenant, id, bytes)
  }

  /** Nothing more is written under this promise. `written`: what was, which counts until the next measurement ends. */
  endPromise (id: string, written: number): void {
    this.#promised.delete(id)
    this.#letIn.since += written
  }

  /**
   * Subtracts at most this many of the bytes that still count. Otherwise bytes that never arrived, or are gone, would
   * cause refusals until the next measurement.
   */
  #takeBack ({ since, before }: LetIn, most: number): void {
    this.#letIn.since -= Math.min(since, most)
    this.#letIn.before -= Math.min(before, most)
  }

  /** Says what is short. Without a path, because anyone may read it. */
  shortage (bytes = 0, promised = this.#promised.sum): string | undefined {
    const { maxBytes, minFreeBytes } = this.#options
    const results = promised === 0 ? '' : ` Results of accepted jobs will need about ${promised} bytes.`
    const storedBytes = this.#storedBytes()
    if (maxBytes > 0 && storedBytes + promised + bytes >= maxBytes) {
      return `The service stores ${storedBytes} bytes, and may store ${maxBytes}.${results}`
    }
    const reason = this.#shortOfDisk(minFreeBytes, promised + bytes)
    return reason === undefined ? undefined : `${reason}${results}`
  }

  /** The bytes that uploads and results may still take; 0 when they are refused. */
  availableBytes (): number {
    const { folder, maxBytes, minFreeBytes } = this.#options
    const ofQuota = maxBytes === 0 ? Infinity : maxBytes - this.#storedBytes()
    return Math.max(0, Math.min(ofQuota, freeBytes(folder) - minFreeBytes))
  }

  #storedBytes (): number {
    return this.#usedBytes + this.#letIn.before + this.#letIn.since
  }

  /** Logs once that refusals begin, and once that they end. A request that is too large by itself begins nothing. */
  #logChange (): void {
    const reason = this.shortage()
    if ((reason !== undefined) === this.#isShort) return
    this.#isShort = reason !== undefined
    const { log } = this.#options
    if (reason === undefined) log.warn('there is room for uploads and jobs again')
    else log.warn({ reason }, 'uploads and jobs are refused: there is no room for them')
  }

  #shortOfDisk (keptFree: number, bytes = 0): string | undefined {
    if (keptFree === 0) return undefined
    const free = freeBytes(this.#options.folder)
    return free - bytes < keptFree
      ? `The disk of the service has ${free} bytes left, of which ${keptFree} are kept free.`
      : undefined
  }

  #assertAdmitted (tenant: string, bytes: number): void {
    this.#assertRoomOf(tenant, bytes)
    const { taken, room } = this.#shareOf(tenant)
    const ofOthers = this.#promised.sum - this.#promised.of(tenant)
    if (taken + bytes <= Math.max(exemptShare * room, shareOfTenant * (room - ofOthers))) return
    throw tooMuchOfTenant()
  }

  #assertRoomOf (tenant: string, bytes: number): void {
    const { taken, room } = this.#shareOf(tenant)
    const reason = taken + bytes <= exemptShare * room ? this.shortage(bytes, 0) : this.shortage(bytes)
    if (reason === undefined) return
    this.#logChange()
    throw refusal(reason)
  }

  /**
   * `taken`: the tenant's current uploads and its promised results. `room`: the space that there would be without its
   * uploads, promised or not.
   */
  #shareOf (tenant: string): { taken: number, room: number } {
    const { maxBytes, minFreeBytes } = this.#options
    const { held, come, measured } = this.#arriving.get(tenant) ?? none
    const room = Math.min(
      maxBytes === 0 ? Infinity : maxBytes - this.#usedBytes + measured,
      minFreeBytes === 0 ? Infinity : freeBytes(this.#options.folder) - minFreeBytes + come
    )
    return { taken: held + this.#promised.of(tenant), room }
  }

  /** Runs on a timer if there is a quota. */
  async measure (): Promise<void> {
    this.#current = this.#current.catch(() => undefined).then(() => this.#walk())
    await this.#current
  }

  async #walk (): Promise<void> {
    for (const letIn of [this.#letIn, ...this.#uploads]) {
      letIn.before += letIn.since
      letIn.since = 0
    }
    const come = [...this.#uploads].map((upload) => ({ upload, bytes: upload.come }))
    const { folder, scratch: besides } = this.#options
    const startMs = performance.now()
    try {
      this.#usedBytes = await measureFolder({ folder, besides }, this.#stopping.signal)
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      throw error
    } finally {
      this.#restsUntilMs = performance.now() + restTimes * (performance.now() - startMs)
    }
    for (const letIn of [this.#letIn, ...this.#uploads]) letIn.before = 0
    for (const { upload, bytes } of come) {
      if (!this.#uploads.has(upload)) continue
      upload.own.measured += bytes - upload.measured
      upload.measured = bytes
    }
  }

  async stop (): Promise<void> {
    this.#stopping.abort()
    await this.#looking.stop()
    await this.#current.catch(() => undefined)
  }
}

function tooMuchOfTenant (): TabcastError {
  const text =
    'Your uploads, the results of your open jobs, and CSV files that are made for you, would take more than three ' +
    'quarters of the room that the service has left.'
  return new TabcastError('rate_limited', `${text} Nothing was stored.`, {
    reason: 'uploads_under_way',
    suggestion: 'Send a smaller file, or fewer at a time; wait until your jobs have ended, or delete some; ask for a ' +
      'shorter forecast; take a result as Parquet.',
    retryAfterSeconds
  })
}

function refusal (reason: string): TabcastError {
  return new TabcastError('storage_error', `${reason} Nothing was stored.`, {
    reason: 'data_dir_full',
    suggestion:
      'Delete jobs and stored objects, or wait until their time is over; the operator can give the service more room.',
    retryAfterSeconds
  })
}
