/** Elements compare one by one: numbers before strings, numbers by value, strings by their UTF-8 bytes. */
export type Key = ReadonlyArray<string | number>

export interface Entry<T> {
  value: T
  /** 1 when the record was made, one more with each write of it. A record that is deleted and made anew starts at 1. */
  revision: number
  /** What the record takes in the file, encoded; what is decoded takes a few times as much. */
  bytes: number
}
export interface KeyedEntry<T> extends Entry<T> {
  key: Array<string | number>
}

export interface RangeOptions {
  /**
   * Only keys that begin with these elements (the key that equals them counts). Not together with `start` and `end`.
   */
  prefix?: Key
  /** First key, included. */
  start?: Key
  /** First key that is not included; in a reverse range too, where the walk begins below it. */
  end?: Key
  /** From the greatest key down. */
  reverse?: boolean
  limit?: number
}

/** Reads see the newest commit. A range is a snapshot; its values are decoded when `value` is read. */
export interface Table<T> {
  readonly name: string
  get(key: Key): Entry<T> | undefined
  /** The revision alone, checked but without decoding the value; undefined when there is no record. */
  revision(key: Key): number | undefined
  /** What the record takes in the file, without decoding it; undefined when there is none. */
  bytes(key: Key): number | undefined
  range(options?: RangeOptions): Iterable<KeyedEntry<T>>
  /** Number of records in the range; cheaper than reading them. */
  count(options?: RangeOptions): number
}

/** Only valid inside the function that `transact` calls. Reads see the transaction's own writes. */
export interface Transaction {
  get<T>(table: Table<T>, key: Key): Entry<T> | undefined
  /** An array, read in full, so that its records can be changed and deleted while it is walked. */
  range<T>(table: Table<T>, options?: RangeOptions): Array<KeyedEntry<T>>
  /** False (and nothing written) when the key has a record. */
  createIfAbsent<T>(table: Table<T>, key: Key, value: T): boolean
  /**
   * False (and nothing written) when the record is gone or has another revision; the new revision is `revision + 1`.
   */
  putIfRevision<T>(table: Table<T>, key: Key, value: T, revision: number): boolean
  put<T>(table: Table<T>, key: Key, value: T): void
  /** False when there was no record. */
  delete(table: Table<unknown>, key: Key): boolean
}

/** Of the file, not of its records. */
export interface MetadataStats {
  /** Address space of the file now; it grows by itself when the file does. */
  mapBytes: number
  pageBytes: number
  /** From the file's start to its last page in use. */
  usedBytes: number
  /** Pages among those that hold nothing, and are written next. */
  freePages: number
  /** Places of readers that are taken, and how many there are. */
  readers: number
  maxReaders: number
}

export interface MetadataStore {
  table<T>(name: string): Table<T>
  /**
   * Runs `work` once, synchronously, inside a write transaction. Throwing undoes everything it wrote and rejects with
   * that error. Resolves when the commit is on disk; transactions of the same moment share one commit. `lane`: the
   * tenant whose request it is. Lanes take turns, and those of one lane keep their order. Without a lane it is work of
   * the service, which has half of the time: nothing that requests can pile up, since all tenants wait for it.
   */
  transact<R>(work: (tx: Transaction) => R, lane?: string): Promise<R>
  /** Resolves when a commit is on disk that goes before all that waits. */
  probe(): Promise<void>
  /** Resolves when every transaction that was handed in before is done, in whatever lane. */
  barrier(): Promise<void>
  /** Copies a consistent state into a new folder, compacted and on disk when it resolves. Writes go on meanwhile. */
  backup(folder: string): Promise<void>
  /**
   * Frees the slots of readers whose process died; they keep old pages from being reused. Returns how many there were.
   */
  releaseDeadReaders(): number
  stats(): MetadataStats
  /** Waits for the transactions under way. */
  close(): Promise<void>
}

export interface Migration {
  /** The schema version that this step leads to; steps have versions 2, 3, ... without gaps. */
  version: number
  /**
   * Oldest program version that can read the folder afterwards; default: `version`, so older programs refuse the
   * folder. A step that only adds fields names an older one, so that a release can be taken back.
   */
  readableBy?: number
  /** Runs in the same transaction as the new version number. */
  run(tx: Transaction, table: <T>(name: string) => Table<T>): void
}

export interface MetadataOptions {
  /** Folder of the database; made when absent. */
  path: string
  tables: readonly string[]
  /** In ascending order; the program's schema version is the last one's, or 1. */
  migrations?: readonly Migration[]
  /**
   * Read every record once before opening, in a process of its own (default). Without it, damage shows when it is read.
   */
  check?: boolean
}
