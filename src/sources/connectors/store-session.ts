import { createReadStream } from 'node:fs'
import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Client } from 'minio'
import type { ConnectionInput } from '../../domain/connection.ts'
import type { ConnectorCode } from '../../domain/connector-codes.ts'
import type { StoredObject } from '../../domain/connector-results.ts'
import { hashFile } from '../../platform/store/hash-file.ts'
import { uploadInParts } from '../../platform/store/multipart.ts'
import { retry } from '../../platform/time/retry.ts'
import { untilAborted } from '../../platform/time/until-aborted.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import { ConnectorError } from './connector-error.ts'
import type { ConnectorSettings } from './connector-settings.ts'
import { LeastSpeed } from './least-speed.ts'
import { readListPage } from './list-page.ts'
import { maxKeyBytes } from './object-key.ts'
import { asConnectorError } from './provider-errors.ts'
import { providerTransport } from './provider-transport.ts'
import { storeCredentials, type AssumedRoles } from './store-credentials.ts'

/** Failures that another try may overcome within moments. For a longer one the job has a schedule of its own. */
const passing: ReadonlySet<ConnectorCode> = new Set(['RATE_LIMITED', 'NETWORK_ERROR', 'PROVIDER_UNAVAILABLE'])

export interface SessionDeps {
  settings: ConnectorSettings
  /** Opened on first use: a connection without its own secrets does not need the keyring. */
  vault: () => Vault
  roles: AssumedRoles
  /** Aborts every current request. */
  signal: AbortSignal
  /** Called with the processor time in milliseconds that answers of the store have cost this process. */
  spend: (cpuMs: number) => void
}

const partBytes = 64 * 1024 * 1024
const maxEtagLength = 256

type StreamRequest = Parameters<Client['makeRequestStreamAsync']>[0]

/** A file, with the size and hash of the bytes that are sent. */
interface OutputBytes {
  path: string
  bytes: number
  sha256: string
}

export interface PutOptions {
  contentType: string
  metadata: Record<string, string>
  /** Refuse with `exists` instead of replacing. */
  ifAbsent: boolean
}

/**
 * The requests of connectors to one bucket, over one set of guarded network connections. Every failure is mapped to a
 * ConnectorError.
 */
export class StoreSession {
  readonly bucket: string
  /** The largest single PUT. A larger object is written in parts, which cannot have a condition. */
  readonly maxSinglePutBytes: number
  readonly signal: AbortSignal
  readonly #client: Client
  readonly #agent: Agent
  /** Bodies are hashed for the signature only if no TLS protects them. */
  readonly #signsBodies: boolean
  readonly #spend: (cpuMs: number) => void

  private constructor (client: Client, agent: Agent, bucket: string, { settings, signal, spend }: SessionDeps,
    signsBodies: boolean) {
    this.#client = client
    this.#agent = agent
    this.bucket = bucket
    this.signal = signal
    this.maxSinglePutBytes = settings.maxSinglePutBytes
    this.#signsBodies = signsBodies
    this.#spend = spend
  }

  static async open (connection: ConnectionInput, deps: SessionDeps): Promise<StoreSession> {
    const { settings, vault, roles, signal } = deps
    const { endpointUrl, region, bucket } = connection.objectStorage
    return await mapped(async () => {
      const url = settings.policy.checkUrl(endpointAddress(endpointUrl, region))
      const transport = providerTransport({ timeoutMs: settings.timeoutMs, signal })
      const credentials = await storeCredentials(connection, { settings, vault, roles, transport })
      const agent = settings.policy.agent(url.protocol, { keepAlive: true, tenant: connection.tenant })
      const client = new Client({
        endPoint: url.hostname,
        ...(url.port === '' ? {} : { port: Number(url.port) }),
        useSSL: url.protocol === 'https:',
        // Without a region the library would first ask the store.
        region,
        // Stores of other providers rarely have a host name for each bucket.
        pathStyle: endpointUrl !== null,
        ...credentials,
        transportAgent: agent,
        transport: transport as NonNullable<ConstructorParameters<typeof Client>[0]['transport']>,
        retryOptions: { disableRetry: true }
      })
      return new StoreSession(client, agent, bucket, deps, url.protocol === 'http:')
    })
  }

  /** Up to 1,000 objects after the key `startAfter`, by key. `speed`: that of all pages of one listing. */
  async list (prefix: string, startAfter: string, maxKeys: number,
    speed = new LeastSpeed()): Promise<{ objects: StoredObject[], isTruncated: boolean }> {
    const query = listQuery(prefix, startAfter, maxKeys)
    // The library's own call parses a whole answer at once, whatever the store put into it.
    const page = await this.#retried(async () => {
      const answer = await this.#client.makeRequestAsync({ method: 'GET', bucketName: this.bucket, query })
      return await readListPage(speed.watch(answer), this.#spend)
    })
    if (page.objects.length > maxKeys) throw new ConnectorError('INVALID_CONFIGURATION')
    const objects = page.objects.map(({ key, size, etag, lastModified }) => ({
      key,
      bytes: Number(size),
      modified: asTime(new Date(lastModified)),
      etag
    }))
    if (!objects.every(isPlausible)) throw new ConnectorError('INVALID_CONFIGURATION')
    return { objects, isTruncated: page.isTruncated }
  }

  /**
   * The content of an object as it was listed. Rejects with SOURCE_CHANGED if it is another version by now, or gone.
   * `isPinned` is false if the store does not identify versions.
   */
  async open (object: Pick<StoredObject, 'key' | 'etag' | 'modified'>,
    firstBytes?: number): Promise<{ answer: IncomingMessage, isPinned: boolean }> {
    const { key, etag } = object
    const headers = {
      ...(etag === '' ? {} : { 'if-match': `"${etag}"` }),
      ...(firstBytes === undefined ? {} : { range: `bytes=0-${firstBytes - 1}` })
    }
    const answer = await this.#retried(() =>
      this.#client.makeRequestAsync({ method: 'GET', bucketName: this.bucket, objectName: key, headers }, '', [200,
        206])
    )
      .catch((error: ConnectorError) => {
        throw error.code === 'SOURCE_NOT_FOUND' ? new ConnectorError('SOURCE_CHANGED', error) : error
      })
    // Some servers ignore If-Match on reads.
    const isSame = isAsListed(answer.headers, object)
    if (isSame !== false) return { answer, isPinned: isSame !== undefined }
    answer.destroy()
    throw new ConnectorError('SOURCE_CHANGED')
  }

  /** The metadata of an object; undefined if there is no such object. */
  async metadata (key: string): Promise<Record<string, string> | undefined> {
    try {
      return (await this.#retried(() => this.#client.statObject(this.bucket, key))).metaData as Record<string, string>
    } catch (error) {
      if (error instanceof ConnectorError && error.code === 'SOURCE_NOT_FOUND') return undefined
      throw error
    }
  }

  /** Never repeats the request: after a lost answer, the caller has to find out whether the object was written. */
  async putFile (key: string, file: OutputBytes, options: PutOptions): Promise<'written' | 'exists'> {
    const headers = putHeaders(options)
    return await this.#put(options, async () => {
      if (file.bytes > this.maxSinglePutBytes) await this.#putParts(key, file, headers)
      else await this.#send({ method: 'PUT', bucketName: this.bucket, objectName: key, headers }, file)
    })
  }

  /** If an upload breaks off, its parts stay until the store's own rules remove them. */
  async #putParts (key: string, { path, bytes: size }: OutputBytes, headers: Record<string, string>): Promise<void> {
    await uploadInParts({
      client: this.#client,
      bucket: this.bucket,
      key,
      size,
      partBytes,
      headers,
      ifAbsent: false,
      isEndRepeated: false,
      repeat: (request) => this.#retried(request),
      sendPart: async (part, request) => {
        const range = { start: part.offset, end: part.offset + part.bytes - 1 }
        const sha256 = this.#signsBodies ? (await hashFile(path, range)).sha256 : ''
        return await this.#send(request, { path, bytes: part.bytes, sha256 }, range)
      }
    })
  }

  /** Streams the file from the disk; the library's own calls would load it into memory and hash it in one go. */
  async #send (request: StreamRequest, { path, bytes, sha256 }: OutputBytes,
    range: { start?: number, end?: number } = {}): Promise<IncomingMessage> {
    const headers = { ...request.headers, 'content-length': String(bytes) }
    const answer = await this.#client.makeRequestStreamAsync({ ...request, headers }, createReadStream(path, range),
      this.#signsBodies ? sha256 : '', [200], '')
    return answer.resume()
  }

  async putBytes (key: string, bytes: Buffer, options: PutOptions): Promise<'written' | 'exists'> {
    return await this.#put(options,
      () => this.#client.putObject(this.bucket, key, bytes, bytes.length, putHeaders(options)))
  }

  async remove (key: string): Promise<void> {
    await this.#retried(() => this.#client.removeObject(this.bucket, key))
  }

  async isVersioned (): Promise<boolean> {
    const answer = await this.#retried(() =>
      this.#client.makeRequestAsync({ method: 'GET', bucketName: this.bucket, query: 'versioning' })
    )
    // Matched as text, because the library's own call would parse whatever the store sends.
    return (await text(answer)).includes('<Status>Enabled</Status>')
  }

  close (): void {
    this.#agent.destroy()
  }

  async #put ({ ifAbsent }: PutOptions, request: () => Promise<unknown>): Promise<'written' | 'exists'> {
    try {
      await mapped(() => untilAborted(request(), this.signal))
      return 'written'
    } catch (error) {
      if (ifAbsent && error instanceof ConnectorError && error.code === 'SOURCE_CHANGED') return 'exists'
      throw error
    }
  }

  async #retried<T> (request: () => Promise<T>): Promise<T> {
    const isRetryable = (error: unknown): boolean => error instanceof ConnectorError && passing.has(error.code)
    return await mapped(() =>
      retry(() => mapped(() => untilAborted(request(), this.signal)), {
        signal: this.signal,
        pausesMs: [200, 800],
        isRetryable
      })
    )
  }
}

/** The address for the connection's requests. */
export function endpointAddress (endpointUrl: string | null, region: string): string {
  return endpointUrl ?? `https://s3.${region}.amazonaws.com`
}

/** Parameters sorted by name, as the signature requires. */
function listQuery (prefix: string, startAfter: string, maxKeys: number): string {
  const escape = (text: string): string =>
    encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const after = startAfter === '' ? [] : [`start-after=${escape(startAfter)}`]
  return ['delimiter=', 'encoding-type=url', 'list-type=2', `max-keys=${maxKeys}`, `prefix=${escape(prefix)}`, ...after]
    .join('&')
}

function putHeaders ({ contentType, metadata, ifAbsent }: PutOptions): Record<string, string> {
  const own = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]))
  return { 'content-type': contentType, ...own, ...(ifAbsent ? { 'if-none-match': '*' } : {}) }
}

/** Keys, sizes and ETags are later matched, added up and sent on, so their form is checked here. */
function isPlausible ({ key, bytes, etag }: StoredObject): boolean {
  return key !== '' && Buffer.byteLength(key) <= maxKeyBytes && Number.isSafeInteger(bytes) && bytes >= 0 &&
    etag.length <= maxEtagLength
}

/**
 * Compares ETags; if there are none, times in whole seconds. The reader also counts the bytes. Undefined: the store
 * gives neither.
 */
function isAsListed ({ etag, 'last-modified': modified }: IncomingHttpHeaders,
  listed: Pick<StoredObject, 'etag' | 'modified'>): boolean | undefined {
  if (listed.etag !== '' && etag !== undefined) return etag.replaceAll('"', '') === listed.etag
  const [readMs, listedMs] = [Date.parse(modified ?? ''), Date.parse(listed.modified)]
  return Number.isNaN(readMs) || listedMs === 0 ? undefined : Math.abs(readMs - listedMs) < 1000
}

function asTime (date: Date): string {
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString()
}

async function mapped<T> (work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asConnectorError(error)
  }
}
