import type { Readable } from 'node:stream'

/** First and last byte, both included, as in HTTP; an `end` beyond the object means its last byte. */
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

/** A folder of files that become objects. */
export interface PutFolder {
  path: string
  /** The files, relative to the folder; they may lie in folders of their own. Whatever else the folder has may go. */
  names: readonly string[]
  /** An object besides. While it is absent, the others may be too. */
  last: { name: string, bytes: Uint8Array }
}

export interface SignedGetOptions {
  expiresInSeconds: number
  /** The name under which a browser saves the response. */
  filename: string
  contentType: string
  /** Address of this service as clients see it, without a trailing slash. */
  baseUrl: string
}

export interface SignedPutOptions {
  expiresInSeconds: number
  contentType: string
  /** Exact size of the upload; null: not known yet, so any size is accepted. */
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
  /** Moves the file instead of copying it. */
  move?: boolean
  /** The file stays and never changes, so the object may share its bytes; the file is then read-only. */
  share?: boolean
  /** Refuses with `exists` if the key has an object. */
  ifAbsent?: boolean
}

export interface ListOptions {
  /** Lists only keys with at most this many segments after the prefix; the keys below cost next to nothing. */
  maxSegments?: number
}

/**
 * Objects under `/`-separated keys. A write is on stable storage when its promise resolves, and a reader sees all of an
 * object or none of it. Errors are StoreErrors. A prefix ends with `/`; for `list` it may be empty.
 */
export interface ObjectStore {
  /**
   * With `move` the file at `path` is gone afterwards; if the file system allows, without copying it. After an error it
   * still exists.
   */
  putFile(key: string, path: string, options?: PutFileOptions): Promise<void>
  putBytes(key: string, bytes: Uint8Array): Promise<void>
  /**
   * Puts files under a prefix that has no objects. It may be called again after an error; the files are gone only when
   * their objects are there.
   */
  putFolder(prefix: string, folder: PutFolder): Promise<void>
  /** Makes a file, which must not exist yet. It may share its bytes with the object, and is then read-only. */
  getToFile(key: string, path: string): Promise<void>
  /** The path of the object's own file, for reading and never for writing; undefined if the store is no folder. */
  pathOf(key: string): Promise<string | undefined>
  getBytes(key: string, maxBytes: number): Promise<Uint8Array>
  /**
   * Gives the bytes of one version of the object, whatever happens to it meanwhile. A stream that cannot give them all
   * ends with an error.
   */
  openRead(key: string, range?: ByteRange): Promise<ObjectRead>
  stat(key: string): Promise<ObjectInfo | undefined>
  /** In no particular order. Objects that are written or deleted meanwhile may or may not appear. */
  list(prefix: string, options?: ListOptions): AsyncIterable<ListedObject>
  /** Does not fail if there is no such object. */
  deleteKey(key: string): Promise<void>
  /** Returns how many objects it deleted. */
  deletePrefix(prefix: string): Promise<number>
  /** Returns an address that gives the object to anyone who has it, until it expires. */
  signGet(key: string, options: SignedGetOptions): string
  /**
   * Returns an address that takes one upload from anyone who has it, until it expires. It never replaces an existing
   * object.
   */
  signPut(key: string, options: SignedPutOptions): SignedPut
  /** Writes and deletes a small object; throws if the store would not take one. */
  probe(): Promise<void>
  /**
   * The same store for work that may become pointless: when the signal aborts, its requests fail with `unavailable`.
   */
  within(signal: AbortSignal): ObjectStore
  /** Removes what writers that died left behind, if it is older than this. Returns how many things it removed. */
  sweepUnfinished(olderThanMs: number): Promise<number>
}
