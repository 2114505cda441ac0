import type { ConnectorCode } from '../../domain/connector-codes.ts'
import { ConnectorError } from './connector-error.ts'
import type { OutputFile, WrittenObject } from './connector.ts'
import { checkObjectKey } from './object-key.ts'
import type { StoreSession } from './store-session.ts'

/** Codes that say what is wrong with the destination; any other failure of a write becomes WRITE_FAILED. */
const telling: ReadonlySet<ConnectorCode> = new Set([
  'AUTHENTICATION_FAILED',
  'AUTHORIZATION_FAILED',
  'CREDENTIALS_EXPIRED',
  'SOURCE_NOT_FOUND',
  'RATE_LIMITED',
  'TIMEOUT',
  'TLS_ERROR',
  'ENDPOINT_NOT_ALLOWED',
  'PROVIDER_UNAVAILABLE',
  'NETWORK_ERROR',
  'INVALID_CONFIGURATION',
  'INVALID_KEY'
])

/**
 * Writes one file under a full key of the bucket. If it may not overwrite, it relies on the store to refuse
 * (`If-None-Match: *`). For a store that ignores that, it looks at the key first, and the caller ensures that no two
 * writes to one key run side by side. An object with the same job and the same bytes was written by an earlier attempt.
 */
export async function writeObject (session: StoreSession, output: OutputFile,
  isConditional: boolean): Promise<WrittenObject> {
  const key = checkObjectKey(output.key)
  const { jobId, sha256, contentType, allowOverwrite, bytes } = output
  const written = (alreadyThere: boolean): WrittenObject => ({
    uri: `s3://${session.bucket}/${key}`,
    bytes,
    alreadyThere
  })
  const isRefusedByStore = isConditional && bytes <= session.maxSinglePutBytes
  if (!allowOverwrite && !isRefusedByStore && await isOccupied(session, key, output)) return written(true)
  const options = { contentType, metadata: { 'job-id': jobId, sha256 }, ifAbsent: !allowOverwrite && isRefusedByStore }
  const end = await session.putFile(key, output, options).catch((error: ConnectorError) => {
    throw telling.has(error.code) ? error : new ConnectorError('WRITE_FAILED', error)
  })
  if (end === 'written') return written(false)
  if (await isOccupied(session, key, output)) return written(true)
  // The object vanished between the refusal and this check.
  throw new ConnectorError('WRITE_FAILED')
}

/**
 * True: this very output is already there. Throws DESTINATION_EXISTS if another object is there, or if that cannot be
 * told.
 */
async function isOccupied (session: StoreSession, key: string, { jobId, sha256 }: OutputFile): Promise<boolean> {
  const found = await session.metadata(key).catch((error: ConnectorError) => {
    throw error.code === 'AUTHORIZATION_FAILED' ? new ConnectorError('DESTINATION_EXISTS', error) : error
  })
  if (found === undefined) return false
  if (found['job-id'] === jobId && found['sha256'] === sha256) return true
  throw new ConnectorError('DESTINATION_EXISTS')
}
