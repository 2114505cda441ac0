import type { Readable } from 'node:stream'

/** First and last byte, both included, as in HTTP; `end` beyond the object means its last byte. */
export interface ByteRange {
  start: number
  end?: number
}

export interface ObjectInfo {
  bytes: number
  modifiedMs: number
}

export interface ListedObject extends ObjectInfo {
  key: string
}

export interface ObjectRead {
  stream: Readable
  /** Bytes that the stream will give. */
  bytes: number
  /** Bytes of the whole object. */
  totalBytes: number
}

/** `path` is copied unless `move` is set; the name becomes the last part of the key. */
export type ManyEntry =
  | { name: string, bytes: Uint8Array }
  | { name: string, path: string, move?: boolean }

export interface SignedGetOptions {
  expiresInSeconds: number
  /** Name under which a browser saves the response. */
  filename: string
  contentType: string
  /** Address of this service as clients see it, without a slash at its end. */
  baseUrl: string
}

export interface SignedPutOptions {
  expiresInSeconds: number
  contentType: string
  /** Exact size of the upload; null: not known yet, then any size is taken. */
  bytes: number | null
  /** Becomes metadata of the object. */
  objectId: string
  /** As in SignedGetOptions. */
  baseUrl: string
}

/** `headers` are part of the signature: the uploader sends exactly these. */
export interface SignedPut {
  url: string
  headers: Record<string, string>
}

export interface PutFileOptions {
  /** Take the file instead of copying it. */
  move?: boolean
  /** Refuse with `exists` when the key has an object. */
  ifAbsent?: boolean
}

export interface ListOptions {
  /** Only keys of at most so many segments behind the prefix; whatever is below them costs next to nothing. */
  maxSegments?: number
}

/**
 * Objects under `/`-separated keys. A write is on stable storage when its promise resolves, and a reader sees all of an
 * object or none of it. Errors are StoreErrors. A prefix ends with `/`; in `list` it may be empty.
 */
export interface ObjectStore {
  /**
   * With `move` the file at `path` is gone afterwards, without a copy where the file system allows; after an error it
   * is still there.
   */
  putFile(key: string, path: string, options?: PutFileOptions): Promise<void>
  putBytes(key: string, bytes: Uint8Array): Promise<void>
  /** Several objects under one prefix with fewer disk waits; not atomic as a group. */
  putMany(prefix: string, entries: readonly ManyEntry[]): Promise<void>
  /** Makes a file that must not exist yet; it may share its bytes with the object and is then read-only. */
  getToFile(key: string, path: string): Promise<void>
  getBytes(key: string, maxBytes: number): Promise<Uint8Array>
  /**
   * Bytes of one version of the object, whatever happens to it meanwhile; a stream that cannot give them all ends with
   * an error.
   */
  openRead(key: string, range?: ByteRange): Promise<ObjectRead>
  stat(key: string): Promise<ObjectInfo | undefined>
  /** In no order. Objects written or deleted meanwhile may be in it or not. */
  list(prefix: string, options?: ListOptions): AsyncIterable<ListedObject>
  /** No error when there is no such object. */
  deleteKey(key: string): Promise<void>
  /** Returns how many objects it deleted. */
  deletePrefix(prefix: string): Promise<number>
  /** An address that gives the object to anyone who has it, until it expires. */
  signGet(key: string, options: SignedGetOptions): string
  /**
   * An address that takes one upload from anyone who has it, until it expires; an object that is there is never
   * replaced.
   */
  signPut(key: string, options: SignedPutOptions): SignedPut
  /** Writes and deletes a small object; throws when the store would not take one. */
  probe(): Promise<void>
  /**
   * The same store for work that may become pointless: its requests break off when the signal aborts, with
   * `unavailable`.
   */
  within(signal: AbortSignal): ObjectStore
  /** Removes what writers that died left behind, when it is older than this. Returns how many things that were. */
  sweepUnfinished(olderThanMs: number): Promise<number>
}
