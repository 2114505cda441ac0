import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { parseDurationMs } from '../../services/keys/duration.ts'
import { listKeys } from '../../services/keys/key-list.ts'
import { tenantShape } from '../../services/keys/scopes.ts'
import { actorOf } from '../actor.ts'
import { answerOnce } from '../answer-once.ts'
import type { Api, RouteContext } from '../api.ts'
import { assertMayPassOn, assertCombinable, KeyAnswers, refusedAt } from '../key-answers.ts'
import { positionOf, writeCursor } from '../list-cursor.ts'
import { keyListPage, keyParams, newKeyBody, rotationBody } from '../schemas/admin-key.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'
import { noBody } from '../schemas/no-body.ts'

const tags = ['administration']
const access = { access: { scope: 'admin', limits: ['read'] }, answersKey: true } as const
const issuing = { ...access, access: { ...access.access, limits: ['create'] } } as const
const constant = { ...access, access: { ...access.access, constant: true } } as const
const answer = (description: string, name: string) => ({
  description,
  content: { 'application/json': { schema: Type.Ref(name) } }
})

/** The keys of the whole deployment. The scope `admin` administers the keys of all tenants, including its own. */
export async function adminKeyRoutes (api: Api, context: RouteContext): Promise<void> {
  const keys = new KeyAnswers(context, '/admin/keys')
  createKey(api, context, keys)
  listAllKeys(api, context, keys)
  getKey(api, keys)
  rotateKey(api, context, keys)
  revokeKey(api, keys)
}

function createKey (api: Api, { services }: RouteContext, keys: KeyAnswers): void {
  api.post('/admin/keys', {
    schema: {
      operationId: 'createKey',
      summary: 'Create a key for a tenant or the sandbox; only this answer shows it',
      description: 'Only the command line can create a key with the scope admin.',
      tags,
      body: newKeyBody,
      response: {
        201: { ...answer('The new key.', 'IssuedApiKey'), headers: { Location: Type.String() } },
        ...errorResponses(...keyErrors, 409, 422)
      }
    },
    config: issuing
  }, async (request, reply) => {
    const { tenant, scopes, name = null, expires = null } = request.body
    assertMayPassOn(request, scopes)
    assertCombinable(scopes)
    return await answerOnce(request, reply, services, async (save) => {
      const expiresAtMs = expires === null ? null : Date.now() + parseDurationMs(expires)
      return await keys.issue(request, 'key_created', save,
        (within) =>
          refusedAt(['body', 'tenant'], tenant ?? '', () =>
            services.keys.create({ tenant, scopes, name, expiresAtMs }, within, actorOf(request))))
    })
  })
}

const listQuery = closedObject({
  tenant: Type.Optional(
    Type.String({ minLength: 1, maxLength: 63, pattern: tenantShape.source, description: 'Only keys of this tenant.' })
  ),
  ...keyListPage
})

function listAllKeys (api: Api, { services }: RouteContext, keys: KeyAnswers): void {
  api.get('/admin/keys', {
    schema: {
      operationId: 'listKeys',
      summary: 'List the keys of all tenants, newest first, without their secrets',
      tags,
      querystring: listQuery,
      response: {
        200: answer('One page. Revoked keys are not listed.', 'ApiKeyList'),
        ...errorResponses(...keyErrors, 422)
      }
    },
    config: access
  }, async (request, reply) => {
    const { tenant = null, limit, cursor } = request.query
    const { cursorKey } = services.secrets
    const binding = ['keys', tenant]
    const page = listKeys(services.keys, { tenant, limit, after: positionOf(cursorKey, binding, cursor) })
    return await reply.send({
      keys: page.keys.map((key) => keys.render(key)),
      next_cursor: page.next === null ? null : writeCursor(cursorKey, binding, page.next)
    })
  })
}

function getKey (api: Api, keys: KeyAnswers): void {
  api.get('/admin/keys/:id', {
    schema: {
      operationId: 'getKey',
      summary: 'Get a key, without its secret',
      tags,
      params: keyParams,
      response: { 200: answer('The key.', 'ApiKey'), ...errorResponses(...keyErrors, 404) }
    },
    config: constant
  }, async (request, reply) => await reply.send(keys.render(keys.find(null, request.params.id))))
}

function rotateKey (api: Api, { services }: RouteContext, keys: KeyAnswers): void {
  api.post('/admin/keys/:id/rotate', {
    schema: {
      operationId: 'rotateKey',
      summary: 'Replace the secret of a key; the old one works for a while',
      description: 'Only the command line can rotate a key with the scope admin.',
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
      assertMayPassOn(request, keys.findIssued(null, id).scopes)
      const overlapMs = parseDurationMs(request.body.overlap)
      return await keys.issue(request, 'key_rotated', save, (within) =>
        refusedAt(['path', 'id'], id, () => services.keys.rotate(id, { overlapMs }, within, actorOf(request))))
    }))
}

function revokeKey (api: Api, keys: KeyAnswers): void {
  api.delete('/admin/keys/:id', {
    schema: {
      operationId: 'revokeKey',
      summary: 'Revoke a key at once; it may be the key in use, and the command line can create another',
      tags,
      params: keyParams,
      response: { 204: noBody('The key no longer works.'), ...errorResponses(...keyErrors, 404, 422) }
    },
    config: constant
  }, async (request, reply) => {
    await keys.revoke(request, keys.findIssued(null, request.params.id))
    return await reply.code(204).send(undefined)
  })
}
