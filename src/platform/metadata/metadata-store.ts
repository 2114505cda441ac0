/** Keys are compared element by element: numbers before strings, numbers by value, strings by their UTF-8 bytes. */
export type Key = ReadonlyArray<string | number>

export interface Entry<T> {
  value: T
  /** 1 for a new record, and one more after each write. A record that is deleted and created again starts at 1. */
  revision: number
  /** Encoded size in the file; decoded, the record takes a few times as much memory. */
  bytes: number
}
export interface KeyedEntry<T> extends Entry<T> {
  key: Array<string | number>
}

export interface RangeOptions {
  /** Only keys that begin with these elements, the equal key included. Not together with `start` and `end`. */
  prefix?: Key
  /** First key, included. */
  start?: Key
  /** The first key that is excluded. In a reverse range too: the walk begins below it. */
  end?: Key
  /** Walks from the greatest key down. */
  reverse?: boolean
  limit?: number
}

/** Reads see the newest commit. A range is a snapshot; an entry's value is decoded when `value` is read. */
export interface Table<T> {
  readonly name: string
  get(key: Key): Entry<T> | undefined
  /** The revision, checked but without decoding the value; undefined if there is no record. */
  revision(key: Key): number | undefined
  /** True if the record is still of this revision, which the caller has read; its checksum is not checked again. */
  hasRevision(key: Key, revision: number): boolean
  /** The record's size in the file, without decoding it; undefined if there is none. */
  bytes(key: Key): number | undefined
  range(options?: RangeOptions): Iterable<KeyedEntry<T>>
  /** Number of records in the range; cheaper than reading them. */
  count(options?: RangeOptions): number
}

/** Valid only inside the function that `transact` calls. Reads see the transaction's own writes. */
export interface Transaction {
  get<T>(table: Table<T>, key: Key): Entry<T> | undefined
  /** Returns an array that was read in full, so that the caller can change and delete the records in it. */
  range<T>(table: Table<T>, options?: RangeOptions): Array<KeyedEntry<T>>
  /** False, with nothing written, if the key has a record. */
  createIfAbsent<T>(table: Table<T>, key: Key, value: T): boolean
  /** False, with nothing written, if the record is gone or has another revision. The new revision is `revision + 1`. */
  putIfRevision<T>(table: Table<T>, key: Key, value: T, revision: number): boolean
  put<T>(table: Table<T>, key: Key, value: T): void
  /** False if there was no record. */
  delete(table: Table<unknown>, key: Key): boolean
}

/** Figures about the file, not about its records. */
export interface MetadataStats {
  /** Current address space of the file; it grows with the file. */
  mapBytes: number
  pageBytes: number
  /** From the file's start to its last page in use. */
  usedBytes: number
  /** Empty pages below that, which are written next. */
  freePages: number
  /** Used reader slots, and how many there are. */
  readers: number
  maxReaders: number
}

export interface MetadataStore {
  table<T>(name: string): Table<T>
  /**
   * Runs `work` once, synchronously, inside a write transaction. Throwing undoes everything it wrote and rejects with
   * that error. Resolves when the commit is on disk; transactions of the same moment share one commit. `lane`: the
   * tenant whose request it is. Lanes take turns, and the work of one lane keeps its order. Work without a lane belongs
   * to the service, which gets half of the time. Requests must not be able to pile up such work, because all tenants
   * wait for it.
   */
  transact<R>(work: (tx: Transaction) => R, lane?: string): Promise<R>
  /** Resolves when a commit is on disk that went ahead of all that waits. */
  probe(): Promise<void>
  /** Resolves when every transaction handed in before, in whatever lane, is done. */
  barrier(): Promise<void>
  /** Copies a consistent state, compacted, into a new folder. Resolves when it is on disk. Writes go on meanwhile. */
  backup(folder: string): Promise<void>
  /**
   * Frees the slots of readers whose process died, because they keep old pages from being reused. Returns how many
   * there were.
   */
  releaseDeadReaders(): number
  stats(): MetadataStats
  /** Waits for the current transactions. */
  close(): Promise<void>
}

export interface Migration {
  /** The schema version after this step. Steps have the versions 2, 3, ... without gaps. */
  version: number
  /**
   * The oldest program version that can read the folder afterwards. The default is `version`, so that older programs
   * refuse the folder. A step that only adds fields names an older one, so that a release can be rolled back.
   */
  readableBy?: number
  /** Runs in the same transaction that writes the new version number. */
  run(tx: Transaction, table: <T>(name: string) => Table<T>): void
}

export interface MetadataOptions {
  /** Folder of the database; it is created if it does not exist. */
  path: string
  tables: readonly string[]
  /** In ascending order. The last one gives the program's schema version; without any it is 1. */
  migrations?: readonly Migration[]
  /**
   * Whether to read every record once before opening, in a process of its own (default). Otherwise damage shows when a
   * record is read.
   */
  check?: boolean
}
