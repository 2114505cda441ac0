import { createHash, createHmac } from 'node:crypto'

/*
 * AWS Signature Version 4 in the query of an address ("Authenticating Requests: Using Query Parameters"). It is written
 * here because the client library signs no header except the host, and an upload must be bound to its type, size and
 * condition.
 */

export interface SigningKey {
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface PresignOptions extends SigningKey {
  method: 'GET' | 'PUT'
  /** Address of the object without a query; its host is signed. */
  url: string
  expiresInSeconds: number
  /** Further query parameters. */
  query?: Record<string, string>
  /** Headers that the request must carry with exactly these values. */
  headers?: Record<string, string>
  nowMs: number
}

const algorithm = 'AWS4-HMAC-SHA256'
const service = 's3'

/** Returns an address that is valid for one method, one object and these headers, until it expires. */
export function presign (
  { method, url, expiresInSeconds, query = {}, headers = {}, nowMs, ...key }: PresignOptions
): string {
  const { protocol, host, pathname } = new URL(url)
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const date = time.slice(0, 8)
  const scope = `${date}/${key.region}/${service}/aws4_request`
  const signed = sorted(
    Object.entries({ ...headers, host }).map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')])
  )
  const signedNames = signed.map(([name]) => name).join(';')
  const parameters = sorted(Object.entries({
    ...query,
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': `${key.accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(expiresInSeconds),
    'X-Amz-SignedHeaders': signedNames
  }).map(([name, value]) => [encode(name), encode(value)]))
  const queryText = parameters.map(([name, value]) => `${name}=${value}`).join('&')
  const path = encodePath(pathname)
  const request = [method, path, queryText, ...signed.map(([name, value]) => `${name}:${value}`), '', signedNames,
    'UNSIGNED-PAYLOAD'].join('\n')
  const text = [algorithm, time, scope, createHash('sha256').update(request).digest('hex')].join('\n')
  const signature = hmac(signingKey(key.secretAccessKey, date, key.region, service), text).toString('hex')
  return `${protocol}//${host}${path}?${queryText}&X-Amz-Signature=${signature}`
}

/** `date` is YYYYMMDD. */
export function signingKey (secretAccessKey: string, date: string, region: string, service: string): Buffer {
  return [date, region, service, 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`))
}

/** Keeps RFC 3986 unreserved characters, as the signature requires. */
export function encode (text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Segments may already be encoded, in another way than the signature requires. */
function encodePath (path: string): string {
  return path.split('/').map((segment) => encode(decodeURIComponent(segment))).join('/')
}

function hmac (key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function sorted (pairs: Array<[string, string]>): Array<[string, string]> {
  return pairs.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)
}
