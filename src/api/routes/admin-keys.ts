import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { TabcastError } from '../../errors.ts'
import { closedObject } from '../../closed-object.ts'
import { parseDurationMs } from '../../keys/duration.ts'
import { findKey, listKeys, type ListedKey } from '../../keys/key-list.ts'
import type { IssuedKey, WithinIssue } from '../../keys/key-service.ts'
import { noteKeyChange, type KeyChange } from '../../keys/note-key-change.ts'
import { KeyInputError, tenantShape } from '../../keys/scopes.ts'
import type { Answer, SaveAnswer } from '../../idempotency/idempotency.ts'
import { answerOnce, jsonAnswer } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { positionOf, writeCursor } from '../list-cursor.ts'
import { identityOf } from '../plugins/access.ts'
import { newKeyBody, renderKey, renderStaticKey, rotationBody } from '../schemas/admin-key.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { noBody } from '../schemas/no-body.ts'

const tags = ['administration']
const access = { access: { scope: 'admin', limits: ['read'] } } as const
const params = Type.Object({ id: Type.String({ description: 'The 8 characters of a key\'s id.' }) })
const answer = (description: string, name: string) => ({ description, content: { 'application/json': { schema: Type.Ref(name) } } })

const listQuery = closedObject({
  tenant: Type.Optional(Type.String({ minLength: 1, maxLength: 63, pattern: tenantShape.source, description: 'Keys of this tenant only.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Most keys of one page.' }),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 400, description: '`next_cursor` of the page before, with the same filter.' }))
})

/** The keys of the whole deployment: whoever has the scope `admin` administers every tenant's, its own included. */
export async function adminKeyRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  const render = ({ kind, key }: ListedKey) => kind === 'issued' ? renderKey(key, config.ENVIRONMENT) : renderStaticKey(key)
  const shown = (id: string): ListedKey => {
    const found = findKey(services.keys, id)
    if (found === undefined) throw noSuchKey()
    return found
  }
  const note = (request: FastifyRequest, action: KeyChange['action'], key: KeyChange['key']) =>
    noteKeyChange(request.log, { action, key, by: identityOf(request).keyId, requestId: request.id })

  /** The answer, kept sealed for repeats, comes to be in the transaction that makes the secret. */
  const issue = async (status: number, save: SaveAnswer, work: (within: WithinIssue) => Promise<IssuedKey>): Promise<{ answer: Answer, issued: IssuedKey }> => {
    const rendered = ({ key, summary }: IssuedKey) => jsonAnswer(status, JSON.stringify({ ...renderKey(summary, config.ENVIRONMENT), key }), status === 201 ? { location: `/admin/keys/${summary.id}` } : {})
    const issued = await work((tx, issued) => save(tx, rendered(issued)))
    return { answer: rendered(issued), issued }
  }

  api.post('/admin/keys', {
    schema: {
      operationId: 'createKey',
      summary: 'Make a key for a tenant; the answer is the only one that shows it',
      tags,
      body: newKeyBody,
      response: { 201: { ...answer('The new key.', 'IssuedApiKey'), headers: { Location: Type.String() } }, ...errorResponses(...keyErrors, 409, 422) }
    },
    config: access
  }, async (request, reply) => {
    const { tenant, scopes, name = null, expires = null } = request.body
    return await answerOnce(request, reply, services, async (save) => {
      const expiresAtMs = expires === null ? null : Date.now() + parseDurationMs(expires)
      const { answer, issued } = await issue(201, save, (within) => refusedAt(['body', 'tenant'], tenant, () => services.keys.create({ tenant, scopes, name, expiresAtMs }, within)))
      note(request, 'key_created', issued.summary)
      return answer
    })
  })

  api.get('/admin/keys', {
    schema: {
      operationId: 'listKeys',
      summary: 'The keys of all tenants, newest first, without their secrets',
      tags,
      querystring: listQuery,
      response: { 200: answer('One page; revoked keys are not shown.', 'ApiKeyList'), ...errorResponses(...keyErrors, 422) }
    },
    config: access
  }, async (request, reply) => {
    const { tenant = null, limit, cursor } = request.query
    const { cursorKey } = services.secrets
    const binding = ['keys', tenant]
    const page = listKeys(services.keys, { tenant, limit, after: positionOf(cursorKey, binding, cursor) })
    return await reply.send({ keys: page.keys.map(render), next_cursor: page.next === null ? null : writeCursor(cursorKey, binding, page.next) })
  })

  api.get('/admin/keys/:id', {
    schema: { operationId: 'getKey', summary: 'One key, without its secret', tags, params, response: { 200: answer('The key.', 'ApiKey'), ...errorResponses(...keyErrors, 404) } },
    config: access
  }, async (request, reply) => await reply.send(render(shown(request.params.id))))

  api.post('/admin/keys/:id/rotate', {
    schema: {
      operationId: 'rotateKey',
      summary: 'A new secret for a key; the one before works for a while longer',
      tags,
      params,
      body: rotationBody,
      response: { 200: answer('The key with its new secret.', 'IssuedApiKey'), ...errorResponses(...keyErrors, 404, 409, 422) }
    },
    config: access,
    // Every field has a default, so that a body may be left out.
    preValidation: async (request) => { request.body ??= {} as typeof request.body }
  }, async (request, reply) => await answerOnce(request, reply, services, async (save) => {
    const { id } = request.params
    assertIssued(shown(id))
    const overlapMs = parseDurationMs(request.body.overlap)
    const { answer, issued } = await issue(200, save, (within) => refusedAt(['path', 'id'], id, () => services.keys.rotate(id, { overlapMs }, within)))
    note(request, 'key_rotated', issued.summary)
    return answer
  }))

  api.delete('/admin/keys/:id', {
    schema: {
      operationId: 'revokeKey',
      summary: 'Revoke a key at once, also the one that asks; the command line makes another',
      tags,
      params,
      response: { 204: noBody('The key does not work any more.'), ...errorResponses(...keyErrors, 404, 422) }
    },
    config: access
  }, async (request, reply) => {
    const { id } = request.params
    const key = assertIssued(shown(id))
    if (!await services.keys.revoke(id)) throw noSuchKey()
    note(request, 'key_revoked', key)
    return await reply.code(204).send(undefined)
  })
}

function assertIssued ({ kind, key }: ListedKey) {
  if (kind === 'issued') return key
  throw fieldRefusal(['path', 'id'], key.id, 'a key of the static map can only be changed in the file of TABCAST_STATIC_KEYS_FILE, which is read again within a second')
}

/** What the service says of wrong input, said of the field that it came from. */
async function refusedAt<T> (loc: string[], input: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof KeyInputError ? fieldRefusal(loc, input, error.message) : error
  }
}

function fieldRefusal (loc: string[], input: string, error: string): TabcastError {
  return new TabcastError('validation_error', undefined, { fields: [{ loc, msg: `Value error, ${error}`, type: 'value_error', input: input.slice(0, 200), ctx: { error } }] })
}

function noSuchKey (): TabcastError {
  return new TabcastError('not_found', 'No such key.')
}
