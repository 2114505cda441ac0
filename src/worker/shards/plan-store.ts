import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { messageVersion } from '../../domain/message-version.ts'
import { planFile } from '../../platform/store/keys.ts'
import type { ObjectStore } from '../../platform/store/object-store.ts'
import { StoreError } from '../../platform/store/store-error.ts'
import { retry } from '../../platform/time/retry.ts'
import type { Part, ShardOutcome } from '../slot-messages.ts'
import { isPassing } from '../store-failure.ts'
import { decodeContext, decodePart, encodeRecord, maxContextBytes, maxPartRecordBytes, type PartRecord,
  type PlanContext } from './plan-records.ts'

const contextFile = 'context.cbor'
const partRecordFile = 'part.cbor'
const explainedFile = 'explained.bin'

interface PlanStoreOptions {
  store: ObjectStore
  /** The prefix of the plan's objects. */
  prefix: string
  /** A folder in scratch for copies of the plan. */
  folder: string
  signal: AbortSignal
  /** Monotonic time after which a store that is away is not asked again. */
  deadlineMs: number
  log: Logger
}

function seriesFile (shard: number): string {
  return `series-${shard}.bin`
}

/**
 * The objects of a plan in the store, which remembers what is done of a forecast in shards. Requests are repeated while
 * the store is away. All of them reject with the signal's reason when the signal aborts.
 */
export class PlanStore {
  readonly prefix: string
  readonly folder: string
  readonly #options: PlanStoreOptions

  constructor (options: PlanStoreOptions) {
    this.prefix = options.prefix
    this.folder = options.folder
    this.#options = options
  }

  get planPath (): string {
    return join(this.folder, planFile)
  }

  get explainedPath (): string {
    return join(this.folder, explainedFile)
  }

  /** Stores the plan that the slot has written into the folder. */
  async put (context: PlanContext): Promise<void> {
    const names = [explainedFile, ...Array.from({ length: context.shards }, (_, shard) => seriesFile(shard))]
    await this.#patiently(async (store) => {
      for (const name of names) await store.putFile(this.#key(name), join(this.folder, name), { share: true })
      await store.putBytes(this.#key(contextFile), encodeRecord(context))
      await putOnce(store, this.#key(planFile), this.planPath)
    })
  }

  /** Whether the store refuses to write a key twice. Without that, two makers could mix their parts. */
  async isExclusive (): Promise<boolean> {
    return !await this.#patiently((store) => putOnce(store, this.#key(planFile), this.planPath))
  }

  async context (): Promise<PlanContext> {
    return decodeContext(
      await this.#patiently((store) => store.getBytes(this.#key(contextFile), maxContextBytes))
    )
  }

  /** Fetches `plan.bin` and, for the run that joins the parts, `explained.bin`. */
  async fetch (forJoin: boolean): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    for (const name of [planFile, ...forJoin ? [explainedFile] : []]) await this.#fetchTo(name, join(this.folder, name))
  }

  /** Fetches the rows of the shard unless they are here. Returns their path. */
  async series (shard: number): Promise<string> {
    const path = join(this.folder, seriesFile(shard))
    if (!existsSync(path)) await this.#fetchTo(seriesFile(shard), path)
    return path
  }

  /** The shards that have a part. */
  async partsDone (): Promise<Set<number>> {
    return await this.#patiently(async (store) => {
      const done = new Set<number>()
      for await (const { key } of store.list(this.prefix)) {
        const [shard, name, more] = key.slice(this.prefix.length).split('/')
        if (name === partRecordFile && more === undefined) done.add(Number(shard))
      }
      return done
    })
  }

  async isPartDone (shard: number): Promise<boolean> {
    return await this.#patiently((store) => store.stat(this.#key(`${shard}/${partRecordFile}`))) !== undefined
  }

  /** Stores a part. If another maker was first, its part counts, and this one is deleted. */
  async putPart (shard: number, maker: string, folder: string, plan: string,
    { files, timings }: ShardOutcome): Promise<void> {
    const record: PartRecord = { v: messageVersion, plan, shard, maker, files, timings }
    const recordPath = join(folder, partRecordFile)
    await writeFile(recordPath, encodeRecord(record))
    const prefix = this.#key(`${shard}/${maker}/`)
    await this.#patiently(async (store) => {
      for (const { name } of files) await store.putFile(prefix + name, join(folder, name), { share: true })
    })
    const isFirst = await this.#patiently((store) =>
      putOnce(store, this.#key(`${shard}/${partRecordFile}`), recordPath)
    )
    // The answer to the first attempt may have been lost.
    if (!isFirst && (await this.#record(shard)).maker !== maker) await this.#delete(prefix)
  }

  /**
   * Fetches the files of a part into a new folder. Undefined if the part is not there, or is not one of this plan: the
   * shard has to be computed again.
   */
  async fetchPart (shard: number, plan: string, folder: string): Promise<Part | undefined> {
    try {
      const record = await this.#record(shard)
      if (record.plan !== plan || record.shard !== shard) return undefined
      await mkdir(folder, { recursive: true, mode: 0o700 })
      for (const { name } of record.files) {
        await this.#fetchTo(`${shard}/${record.maker}/${name}`, join(folder, name))
      }
      return { folder, files: record.files, timings: record.timings }
    } catch (error) {
      this.#options.signal.throwIfAborted()
      if (error instanceof StoreError && isPassing(error)) throw error
      this.#options.log.warn({ err: error, shard }, 'part of a shard is not usable, the shard is computed again')
      return undefined
    }
  }

  /** Deletes what is stored of a shard, so that another part can take its place. */
  async dropPart (shard: number): Promise<void> {
    await this.#delete(this.#key(`${shard}/`))
  }

  /** False when the job has ended: nobody needs parts any more. */
  async isThere (): Promise<boolean> {
    return await this.#patiently((store) => store.stat(this.#key(planFile))) !== undefined
  }

  async #fetchTo (name: string, path: string): Promise<void> {
    await this.#patiently((store) => store.getToFile(this.#key(name), path))
  }

  #key (name: string): string {
    return `${this.prefix}${name}`
  }

  async #record (shard: number): Promise<PartRecord> {
    return decodePart(
      await this.#patiently((store) => store.getBytes(this.#key(`${shard}/${partRecordFile}`), maxPartRecordBytes))
    )
  }

  async #delete (prefix: string): Promise<void> {
    await this.#patiently((store) => store.deletePrefix(prefix))
  }

  async #patiently<T> (work: (store: ObjectStore) => Promise<T>): Promise<T> {
    const { store, signal, deadlineMs, log } = this.#options
    return await retry(() => work(store), {
      signal,
      deadlineMs,
      isRetryable: isPassing,
      onRetry: (err, attempt, pauseMs) => log.warn({ err, attempt, pauseMs }, 'shards not in the store yet')
    })
  }
}

/** False if the key has an object already. */
async function putOnce (store: ObjectStore, key: string, path: string): Promise<boolean> {
  try {
    await store.putFile(key, path, { ifAbsent: true, share: true })
    return true
  } catch (error) {
    if (error instanceof StoreError && error.code === 'exists') return false
    throw error
  }
}
