/**
 * - `corrupt`: one record does not match its checksum; other records stay readable.
 * - `damaged`: the file as a whole differs from what this program wrote, so it is not opened.
 * - `newer`: a newer release wrote the folder in a form that this one cannot read.
 * - `no_space`: the disk is full; nothing was written, and later writes work once there is space.
 * - `invalid`: the store does not take this key, value or table name.
 * - `unavailable`: the disk or the folder refuses (permission, I/O error), or the store is closed.
 */
export type MetadataErrorCode = 'corrupt' | 'damaged' | 'newer' | 'no_space' | 'invalid' | 'unavailable'

export class MetadataError extends Error {
  override name = 'MetadataError'
  readonly code: MetadataErrorCode

  constructor (code: MetadataErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
