import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { TabcastError } from '../../platform/errors.ts'
import { parseDurationMs } from '../../services/keys/duration.ts'
import { listKeys } from '../../services/keys/key-list.ts'
import { defaultScopes } from '../../services/keys/scopes.ts'
import { actorOf } from '../actor.ts'
import { answerOnce } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { identityOf } from '../identity-of.ts'
import { assertEndsNoLater, assertMayPassOn, assertCombinable, fieldRefusal, KeyAnswers,
  refusedAt } from '../key-answers.ts'
import { positionOf, writeCursor } from '../list-cursor.ts'
import { keyListPage, keyParams, newTenantKeyBody, rotationBody } from '../schemas/admin-key.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { noBody } from '../schemas/no-body.ts'

const tags = ['keys']
const access = { access: { scope: 'keys:write', tenant: true, limits: ['read'] }, answersKey: true } as const
const constant = { ...access, access: { ...access.access, constant: true } } as const
const issuing = { ...access, access: { ...access.access, limits: ['create'] } } as const
const answer = (description: string, name: string) => ({
  description,
  content: { 'application/json': { schema: Type.Ref(name) } }
})

/** The keys of the caller's own tenant. No key may create or rotate one that can do more than itself. */
export async function keyRoutes (api: Api, context: RouteContext): Promise<void> {
  const keys = new KeyAnswers(context, '/keys')
  createTenantKey(api, context, keys)
  listTenantKeys(api, context, keys)
  getTenantKey(api, keys)
  rotateTenantKey(api, context, keys)
  revokeTenantKey(api, keys)
}

function createTenantKey (api: Api, { services }: RouteContext, keys: KeyAnswers): void {
  api.post('/keys', {
    schema: {
      operationId: 'createTenantKey',
      summary: 'Create a key for your tenant; only this answer shows it',
      description:
        'The new key has at most the scopes of the key that makes the request, and never admin. It expires no later. ' +
        'Without `expires` it expires together with that key.',
      tags,
      body: newTenantKeyBody,
      response: {
        201: { ...answer('The new key.', 'IssuedApiKey'), headers: { Location: Type.String() } },
        ...errorResponses(...keyErrors, 409, 422)
      }
    },
    config: issuing
  }, async (request, reply) => {
    const { tenant, scopes: own, expiresAtMs: ownEndMs } = identityOf(request)
    const { name = null, expires = null } = request.body
    const scopes = request.body.scopes ?? defaultScopes.filter((scope) => own.has(scope))
    if (scopes.length === 0) {
      throw fieldRefusal(['body', 'scopes'], '',
        'this key has none of the scopes that a key gets by default; name those that the new key is to have')
    }
    assertMayPassOn(request, scopes)
    assertCombinable(scopes)
    return await answerOnce(request, reply, services, async (save) => {
      const expiresAtMs = expires === null ? ownEndMs : Date.now() + parseDurationMs(expires)
      assertEndsNoLater(request, expiresAtMs)
      return await keys.issue(request, 'key_created', save,
        (within) =>
          refusedAt(['body'], '', () =>
            services.keys.create({ tenant, scopes, name, expiresAtMs }, within, actorOf(request))))
    })
  })
}

function listTenantKeys (api: Api, { services }: RouteContext, keys: KeyAnswers): void {
  api.get('/keys', {
    schema: {
      operationId: 'listTenantKeys',
      summary: 'List the keys of your tenant, newest first, without their secrets',
      tags,
      querystring: closedObject(keyListPage),
      response: {
        200: answer('One page. Revoked keys are not listed.', 'ApiKeyList'),
        ...errorResponses(...keyErrors, 422)
      }
    },
    config: access
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { limit, cursor } = request.query
    const { cursorKey } = services.secrets
    const binding = [tenant, 'keys']
    const page = listKeys(services.keys, { tenant, limit, after: positionOf(cursorKey, binding, cursor) })
    return await reply.send({
      keys: page.keys.map((key) => keys.render(key)),
      next_cursor: page.next === null ? null : writeCursor(cursorKey, binding, page.next)
    })
  })
}

function getTenantKey (api: Api, keys: KeyAnswers): void {
  api.get('/keys/:id', {
    schema: {
      operationId: 'getTenantKey',
      summary: 'Get a key of your tenant, without its secret',
      tags,
      params: keyParams,
      response: { 200: answer('The key.', 'ApiKey'), ...errorResponses(...keyErrors, 404) }
    },
    config: constant
  }, async (request, reply) => await reply.send(keys.render(keys.find(identityOf(request).tenant, request.params.id))))
}

function rotateTenantKey (api: Api, { services }: RouteContext, keys: KeyAnswers): void {
  api.post('/keys/:id/rotate', {
    schema: {
      operationId: 'rotateTenantKey',
      summary: 'Replace the secret of a key of your tenant; the old one works for a while',
      description: 'The key must not have more scopes than the key that makes the request, and must not expire later.',
      tags,
      params: keyParams,
      body: rotationBody,
      response: {
        200: answer('The key with its new secret.', 'IssuedApiKey'),
        ...errorResponses(...keyErrors, 404, 409, 422)
      }
    },
    config: issuing
  }, async (request, reply) =>
    await answerOnce(request, reply, services, async (save) => {
      const { id } = request.params
      const key = keys.findIssued(identityOf(request).tenant, id)
      assertMayPassOn(request, key.scopes)
      assertEndsNoLater(request, key.expiresAtMs)
      const overlapMs = parseDurationMs(request.body.overlap)
      return await keys.issue(request, 'key_rotated', save, (within) =>
        refusedAt(['path', 'id'], id, () => services.keys.rotate(id, { overlapMs }, within, actorOf(request))))
    }))
}

function revokeTenantKey (api: Api, keys: KeyAnswers): void {
  api.delete('/keys/:id', {
    schema: {
      operationId: 'revokeTenantKey',
      summary: 'Revoke a key of your tenant at once; it may be the key in use',
      description: 'Any key except one with the scope admin, which belongs to the deployment.',
      tags,
      params: keyParams,
      response: { 204: noBody('The key no longer works.'), ...errorResponses(...keyErrors, 404, 422) }
    },
    config: constant
  }, async (request, reply) => {
    const key = keys.findIssued(identityOf(request).tenant, request.params.id)
    if (key.scopes.includes('admin')) {
      throw new TabcastError('auth_failed',
        'A key with the scope admin belongs to the deployment, so a tenant cannot revoke it.', {
        status: 403,
        suggestion: 'Ask whoever runs the service, or use DELETE /admin/keys/{id}.'
      })
    }
    await keys.revoke(request, key)
    return await reply.code(204).send(undefined)
  })
}
