import type { FastifyRequest } from 'fastify'
import type { Config } from '../platform/config.ts'
import { TabcastError } from '../platform/errors.ts'
import type { Answer, SaveAnswer } from '../services/idempotency/idempotency.ts'
import { scopesNotPassedOn } from '../services/keys/grants.ts'
import { findKey, type ListedKey } from '../services/keys/key-list.ts'
import type { KeySummary } from '../services/keys/key-record.ts'
import type { IssuedKey, WithinIssue } from '../services/keys/key-service.ts'
import { noteKeyChange, type KeyChange } from '../services/keys/note-key-change.ts'
import { checkScopes, KeyInputError, type Scope } from '../services/keys/scopes.ts'
import { actorOf } from './actor.ts'
import { jsonAnswer } from './answer-once.ts'
import { identityOf } from './identity-of.ts'
import { renderKey, renderStaticKey } from './schemas/admin-key.ts'
import type { Services } from './services.ts'

/** What both groups of key routes do. `tenant` null means every tenant, for administrators. */
export class KeyAnswers {
  /** Read only during a request, because the interface is described without services. */
  readonly #services: Pick<Services, 'keys'>
  readonly #environment: string
  readonly #path: string

  constructor ({ config, services }: { config: Pick<Config, 'ENVIRONMENT'>, services: Pick<Services, 'keys'> },
    path: string) {
    this.#services = services
    this.#environment = config.ENVIRONMENT
    this.#path = path
  }

  render ({ kind, key }: ListedKey) {
    return kind === 'issued' ? renderKey(key, this.#environment) : renderStaticKey(key)
  }

  /** A key of another tenant is unknown. */
  find (tenant: string | null, id: string): ListedKey {
    const found = findKey(this.#services.keys, id)
    if (found === undefined || (tenant !== null && found.key.tenant !== tenant)) throw noSuchKey()
    return found
  }

  findIssued (tenant: string | null, id: string): KeySummary {
    const { kind, key } = this.find(tenant, id)
    if (kind === 'issued') return key
    throw fieldRefusal(['path', 'id'], key.id,
      'a key of the static map can only be changed in the file of TABCAST_STATIC_KEYS_FILE, which is read again ' +
        'within a second')
  }

  /** Saves the sealed answer in the transaction that creates the secret. */
  async issue (request: FastifyRequest, action: 'key_created' | 'key_rotated', save: SaveAnswer,
    work: (within: WithinIssue) => Promise<IssuedKey>): Promise<Answer> {
    const rendered = ({ key, summary }: IssuedKey) => {
      const body = JSON.stringify({ ...renderKey(summary, this.#environment), key })
      return action === 'key_created'
        ? jsonAnswer(201, body, { location: `${this.#path}/${summary.id}` })
        : jsonAnswer(200, body)
    }
    const issued = await work((tx, issued) => save(tx, rendered(issued)))
    this.#note(request, action, issued.summary)
    return rendered(issued)
  }

  async revoke (request: FastifyRequest, key: KeySummary): Promise<void> {
    if (!await this.#services.keys.revoke(key.id, actorOf(request))) throw noSuchKey()
    this.#note(request, 'key_revoked', key)
  }

  #note (request: FastifyRequest, action: KeyChange['action'], key: KeyChange['key']): void {
    noteKeyChange(request.log, { action, key, by: identityOf(request).keyId, requestId: request.id })
  }
}

/** Throws auth_failed for a new secret with scopes that the requesting key may not pass on. */
export function assertMayPassOn (request: FastifyRequest, scopes: readonly Scope[]): void {
  const refused = scopesNotPassedOn(identityOf(request), scopes)
  if (refused.length === 0) return
  const isAdmin = refused.includes('admin')
  throw new TabcastError('auth_failed', isAdmin
    ? 'No key with the scope admin is made or rotated over HTTP.'
    : `This key cannot hand on what it lacks: ${refused.join(', ')}.`, {
    status: 403,
    suggestion: isAdmin
      ? 'Use the command line where the service runs: tabcast keys create --scopes admin, tabcast keys rotate ID.'
      : 'Use a key that has these scopes itself, or leave them out.'
  })
}

/**
 * Throws auth_failed for a secret that would outlive the requesting key. Otherwise a key that leaked for a day could
 * become a permanent one.
 */
export function assertEndsNoLater (request: FastifyRequest, expiresAtMs: number | null): void {
  const { expiresAtMs: ownEndMs } = identityOf(request)
  if (ownEndMs === null || (expiresAtMs !== null && expiresAtMs <= ownEndMs)) return
  throw new TabcastError('auth_failed', 'A key cannot create or rotate a key that expires later than itself.', {
    status: 403,
    suggestion: `Use a key without an end, or one that ends no later than ${new Date(ownEndMs).toISOString()}.`
  })
}

/** Throws validation_error for scopes that no key may combine. */
export function assertCombinable (scopes: readonly Scope[]): void {
  try {
    checkScopes(scopes)
  } catch (error) {
    throw error instanceof KeyInputError ? fieldRefusal(['body', 'scopes'], scopes.join(','), error.message) : error
  }
}

/** Reports invalid input of the service as an error of the field that it came from. */
export async function refusedAt<T> (loc: string[], input: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof KeyInputError ? fieldRefusal(loc, input, error.message) : error
  }
}

export function fieldRefusal (loc: string[], input: string, error: string): TabcastError {
  return new TabcastError('validation_error', undefined, {
    fields: [{ loc, msg: error, type: 'value_error', input: input.slice(0, 200), ctx: { error } }]
  })
}

function noSuchKey (): TabcastError {
  return new TabcastError('not_found', 'No such key.')
}
