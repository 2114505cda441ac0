import { timingSafeEqual } from 'node:crypto'
import type { Identity } from './identity.ts'
import { readKeyId } from './key-format.ts'
import type { KeyRecords } from './key-records.ts'
import type { KeyUses } from './key-uses.ts'
import { isSandboxKey, ownTenant, sandboxTenant, type Scope } from './scopes.ts'
import { watchStaticKeys, type StaticKeys, type StaticKeySummary } from './static-keys.ts'
import { VerifiedKeys, type VerifiedKey } from './verified-keys.ts'

export interface KeyVerifierOptions {
  records: KeyRecords
  uses: KeyUses
  hash: (key: string) => Buffer
  /** Empty: none. */
  staticKeysFile: string
  onError: (error: Error) => void
  now: () => number
}

/** Verifies keys and finds their owners. */
export class KeyVerifier {
  readonly #records: KeyRecords
  readonly #uses: KeyUses
  readonly #hash: (key: string) => Buffer
  readonly #now: () => number
  readonly #verified = new VerifiedKeys()
  readonly #staticKeys: StaticKeys | undefined
  /** An unknown id is compared with this hash, so that it takes the same path and time as a wrong secret. */
  readonly #absent: Buffer

  constructor ({ records, uses, hash, staticKeysFile, onError, now }: KeyVerifierOptions) {
    this.#records = records
    this.#uses = uses
    this.#hash = hash
    this.#now = now
    this.#absent = hash('')
    this.#staticKeys = staticKeysFile === '' ? undefined : watchStaticKeys({
      path: staticKeysFile,
      digest: (key) => hash(key).toString('hex'),
      onChange: () => this.#verified.clear(),
      onError
    })
  }

  verify (key: string): Identity | undefined {
    const nowMs = this.#now()
    const known = this.#verified.get(key, nowMs) ?? this.#remember(key, nowMs)
    if (known === undefined) return undefined
    if (known.issued) this.#uses.note(known.identity.keyId, nowMs)
    return known.identity
  }

  /** Call it after each change of a key. */
  forget (id: string): void {
    this.#verified.forget(id)
  }

  /** `tenant` null: of all. */
  listStatic (tenant: string | null): readonly StaticKeySummary[] {
    return this.#staticKeys?.list(tenant) ?? []
  }

  findStatic (id: string): StaticKeySummary | undefined {
    return this.#staticKeys?.findById(id)
  }

  close (): void {
    this.#staticKeys?.close()
  }

  #remember (key: string, nowMs: number): VerifiedKey | undefined {
    const found = this.#verifyIssued(key, nowMs) ?? this.#verifyStatic(key)
    if (found !== undefined) this.#verified.set(key, found)
    return found
  }

  #verifyIssued (key: string, nowMs: number): VerifiedKey | undefined {
    const id = readKeyId(key)
    if (id === undefined) return undefined
    const record = this.#records.get(id)
    const given = this.#hash(key)
    const isCurrent = timingSafeEqual(given, record?.hash ?? this.#absent)
    const isPrevious = timingSafeEqual(given, record?.previous?.hash ?? this.#absent)
    if (record === undefined || record.revokedAtMs !== null || (!isCurrent && !isPrevious)) return undefined
    const expiresAtMs = Math.min(record.expiresAtMs ?? Infinity, isCurrent ? Infinity : record.previous?.untilMs ?? 0)
    if (nowMs >= expiresAtMs) return undefined
    return {
      identity: { keyId: id, ...ownerOf(record, record.tenant), expiresAtMs: record.expiresAtMs },
      expiresAtMs,
      issued: true
    }
  }

  #verifyStatic (key: string): VerifiedKey | undefined {
    if (this.#staticKeys === undefined) return undefined
    const digest = this.#hash(key).toString('hex')
    const found = this.#staticKeys.find(digest)
    if (found === undefined) return undefined
    return {
      identity: { keyId: found.id, ...ownerOf(found, ownTenant(digest)), expiresAtMs: null },
      expiresAtMs: Infinity,
      issued: false
    }
  }
}

/** The owner of the data; `own` is the slug of a key without a tenant. */
function ownerOf ({ tenant, scopes }: { tenant: string | null, scopes: readonly Scope[] },
  own: string): Pick<Identity, 'tenant' | 'hasTenant' | 'scopes'> {
  if (isSandboxKey(scopes)) return { tenant: sandboxTenant, hasTenant: false, scopes: new Set(scopes) }
  return { tenant: tenant ?? own, hasTenant: tenant !== null, scopes: new Set(scopes) }
}
