import { Type } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import type { Api, RouteContext } from '../api.ts'
import { identityOf } from '../identity-of.ts'
import { positionOf, writeCursor } from '../list-cursor.ts'
import { renderAuditPageText } from '../schemas/audit.ts'
import { errorResponses, keyErrors } from '../schemas/error.ts'

const listQuery = closedObject({
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: 'At most this many records are on one page.'
  }),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 400, description: '`next_cursor` of the previous page.' })
  )
})

export async function auditRoutes (api: Api, { services }: RouteContext): Promise<void> {
  api.get('/audit', {
    schema: {
      operationId: 'listAudit',
      summary: 'List the changes of your tenant and the keys that made them, newest first',
      tags: ['audit'],
      querystring: listQuery,
      response: {
        200: { description: 'One page.', content: { 'application/json': { schema: Type.Ref('AuditPage') } } },
        ...errorResponses(...keyErrors, 422)
      }
    },
    config: { access: { scope: 'audit:read', limits: ['read'] } }
  }, async (request, reply) => {
    const { tenant } = identityOf(request)
    const { limit, cursor } = request.query
    const { cursorKey } = services.secrets
    const binding = [tenant, 'tenant audit']
    const before = positionOf(cursorKey, binding, cursor)
    const { records, next } = services.audit.page(tenant, limit, before === null ? null : Number(before))
    const nextCursor = next === null ? null : writeCursor(cursorKey, binding, String(next))
    return await reply.header('content-type', 'application/json; charset=utf-8').send(
      renderAuditPageText(records, nextCursor)
    )
  })
}
