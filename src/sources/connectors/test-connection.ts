import { ulid } from 'ulid'
import type { ConnectionInput, StoreCapabilities } from '../../domain/connection.ts'
import type { ConnectorCode } from '../../domain/connector-codes.ts'
import type { ConnectionTest, TestCheckName } from '../../domain/connector-results.ts'
import { NetworkRefusal } from '../../platform/network/network-refusal.ts'
import { ConnectorError } from './connector-error.ts'
import { asConnectorError } from './provider-errors.ts'
import { isPart, probePrefix } from './source-parts.ts'
import { endpointAddress, StoreSession, type SessionDeps } from './store-session.ts'

const order: readonly TestCheckName[] = ['policy', 'dns', 'tls', 'authenticate', 'list', 'read', 'write']

/** The check to blame if the first request fails with this code; any other code is blamed on the listing. */
const blamed: Partial<Record<ConnectorCode, TestCheckName>> = {
  ENDPOINT_NOT_ALLOWED: 'policy',
  TLS_ERROR: 'tls',
  AUTHENTICATION_FAILED: 'authenticate',
  CREDENTIALS_EXPIRED: 'authenticate',
  CREDENTIALS_UNAVAILABLE: 'authenticate'
}

/** Tries every use of a connection, step by step. The steps after a failed one are skipped. */
export async function testConnection (connection: ConnectionInput, deps: SessionDeps): Promise<ConnectionTest> {
  const test = new Steps()
  const { endpointUrl, region } = connection.objectStorage
  const url = await test.step('policy', async () => deps.settings.policy.checkUrl(endpointAddress(endpointUrl, region)))
  if (url === undefined) return test.result()
  const port = Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port)
  const addresses = await test.step('dns', async () =>
    await deps.settings.policy.resolve(url.hostname.replace(/^\[(.*)\]$/, '$1'), port, connection.tenant))
  if (addresses === undefined) return test.result()
  const session = await test.step('authenticate', () => StoreSession.open(connection, deps))
  if (session === undefined) return test.result()
  try {
    await testStore(test, session, connection, url.protocol === 'https:')
  } finally {
    session.close()
  }
  return test.result()
}

async function testStore (test: Steps, session: StoreSession, { objectStorage }: ConnectionInput,
  isEncrypted: boolean): Promise<void> {
  const startMs = performance.now()
  // Lists instead of using HEAD, because an answer to HEAD has no body to tell a wrong key from a missing permission.
  const page = await test.step('list', () => session.list(objectStorage.prefix, '', 1))
  test.latencyMs = Math.round(performance.now() - startMs)
  if (page === undefined) return
  test.pass('authenticate')
  if (isEncrypted) test.pass('tls')
  const [object] = page.objects.filter((found) => isPart(objectStorage, found) && found.bytes > 0)
  if (object !== undefined) await test.step('read', async () => (await session.open(object, 1)).answer.destroy())
  await probeWrite(test, session)
  test.capabilities.versioning = await session.isVersioned().catch(() => null)
}

/**
 * Writes one small object twice; a store that supports the condition refuses the second write. A source needs only
 * reading, so missing permission is no failure.
 */
async function probeWrite (test: Steps, session: StoreSession): Promise<void> {
  const key = `${probePrefix}${ulid()}`
  const content = Buffer.from('tabcast looks whether it may write here\n')
  const put = (ifAbsent: boolean) =>
    session.putBytes(key, content, { contentType: 'text/plain', metadata: {}, ifAbsent })
  try {
    const isRefused = await put(true).then(() => false, (error: ConnectorError) => {
      // A store without conditional writes may refuse the header itself.
      if (error.code === 'INVALID_CONFIGURATION') return true
      throw error
    })
    test.capabilities.conditionalPut = isRefused ? await put(false).then(() => false) : await put(true) === 'exists'
    await session.remove(key)
    test.pass('write')
  } catch (error) {
    const { code } = asConnectorError(error)
    if (code !== 'AUTHORIZATION_FAILED') test.fail('write', code)
  }
}

/** The results of the checks; those that were not reached are skipped. */
class Steps {
  readonly capabilities: StoreCapabilities = { conditionalPut: null, versioning: null }
  latencyMs = 0
  readonly #ends = new Map<TestCheckName, ConnectorCode | null>()

  /** undefined: the step failed. The failure may be blamed on another check. */
  async step<T> (name: TestCheckName, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const value = await work()
      if (name !== 'authenticate') this.pass(name)
      return value
    } catch (error) {
      const { code } = asConnectorError(error)
      const at = error instanceof NetworkRefusal ? 'policy' : blamed[code] ?? name
      this.fail(at, code)
      // The store answered, and accepted the caller's identity.
      if (name === 'list' && at === 'list' && (code === 'AUTHORIZATION_FAILED' || code === 'SOURCE_NOT_FOUND')) {
        this.pass('authenticate')
      }
      return undefined
    }
  }

  pass (name: TestCheckName): void {
    this.#ends.set(name, null)
  }

  fail (name: TestCheckName, code: ConnectorCode): void {
    this.#ends.set(name, code)
  }

  result (): ConnectionTest {
    const checks = order.map((name): ConnectionTest['checks'][number] => {
      const errorCode = this.#ends.get(name)
      return {
        name,
        status: errorCode === undefined ? 'skipped' : errorCode === null ? 'passed' : 'failed',
        errorCode: errorCode ?? null
      }
    })
    return { latencyMs: this.latencyMs, checks, capabilities: this.capabilities }
  }
}
