import { Type, type Static } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { durationShape } from '../../services/keys/duration.ts'
import type { KeySummary } from '../../services/keys/key-record.ts'
import type { StaticKeySummary } from '../../services/keys/static-keys.ts'
import { defaultScopes, sandboxTenant, scopes, tenantShape } from '../../services/keys/scopes.ts'
import { identifier } from './identifier.ts'
import { nullable } from './nullable.ts'

const time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })
const duration = (description: string) =>
  Type.String({
    pattern: durationShape.source,
    maxLength: 7,
    description: `${description} A whole number with s, m, h or d, such as 90d.`
  })

const keyName = Type.Optional(
  nullable(Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }), 'The name in lists.')
)
const expires = Type.Optional(
  nullable(duration('How long the key works.'),
    'How long the key works, such as 90d; null or left out: until it is revoked.')
)
const scopeList = { minItems: 1, maxItems: 50 }

export const keyParams = Type.Object({ id: identifier("The 8 characters of a key's id.") })

export const keyListPage = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 200,
    default: 50,
    description: 'At most this many keys are on one page.'
  }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 400,
      description: '`next_cursor` of the previous page; use the same filter.'
    })
  )
}

export const newTenantKeyBody = closedObject({
  scopes: Type.Optional(
    Type.Array(Type.Enum(scopes), {
      ...scopeList,
      description:
        'Scopes of the new key, at most those of the key that makes the request; left out: the default scopes, as ' +
        'far as that key has them.'
    })
  ),
  name: keyName,
  expires
})

export const newKeyBody = closedObject({
  tenant: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 63,
      pattern: tenantShape.source,
      description:
        'The tenant of the key: 1 to 63 of a-z, 0-9 and "-". Required, except for a key with the scope sandbox, ' +
        'which has none.'
    })
  ),
  scopes: Type.Array(Type.Enum(scopes), {
    ...scopeList,
    default: [...defaultScopes],
    description:
      'Scopes of the key; admin is not possible. Left out: everything that a tenant does with its own data, which ' +
      'leaves out keys:write, webhooks, audit:read and sandbox.'
  }),
  name: keyName,
  expires
})

export const rotationBody = closedObject({
  overlap: { ...duration('How long the secret before works besides the new one.'), default: '24h' }
})

const keyFields = {
  id: Type.String({ description: '8 characters.' }),
  prefix: nullable(Type.String(), 'The first characters of the key; null for a key from TABCAST_STATIC_KEYS_FILE.'),
  tenant: nullable(Type.String(),
    'null: a key of the sandbox, or a key from TABCAST_STATIC_KEYS_FILE without a tenant.'),
  scopes: Type.Array(Type.Enum(scopes)),
  name: nullable(Type.String()),
  source: Type.Enum(['issued', 'static'], {
    description: '`static`: from TABCAST_STATIC_KEYS_FILE; it can be changed only there.'
  }),
  created_at: nullable(time, 'null for a key from TABCAST_STATIC_KEYS_FILE.'),
  rotated_at: nullable(time, 'When the secret was last replaced.'),
  expires_at: nullable(time, 'null: it does not expire.'),
  last_used_at: nullable(time, 'To the minute; null: never, or a key from TABCAST_STATIC_KEYS_FILE.')
}

export const adminKeySchema = Type.Object(keyFields, { $id: 'ApiKey', description: 'An API key without its secret.' })

export const issuedKeySchema = Type.Object({
  ...keyFields,
  key: Type.String({ description: 'The key itself. Send it as `Authorization: Bearer`. No other answer shows it.' })
}, { $id: 'IssuedApiKey' })

export const adminKeyListSchema = Type.Object({
  keys: Type.Array(Type.Ref('ApiKey')),
  next_cursor: nullable(Type.String(), 'Send it as `cursor` to get the next page; null: this is the last page.')
}, { $id: 'ApiKeyList' })

type AdminKey = Static<typeof adminKeySchema>

/** Each field is picked by name, so that nothing can leak. */
export function renderKey (
  { id, tenant, scopes, name, createdAtMs, rotatedAtMs, expiresAtMs, lastUsedAtMs }: KeySummary,
  environment: string
): AdminKey {
  return {
    id,
    prefix: `tbc_${environment}_${id}`,
    tenant: tenant === sandboxTenant ? null : tenant,
    scopes,
    name,
    source: 'issued',
    created_at: timeOf(createdAtMs),
    rotated_at: timeOf(rotatedAtMs),
    expires_at: timeOf(expiresAtMs),
    last_used_at: timeOf(lastUsedAtMs)
  }
}

export function renderStaticKey ({ id, tenant, scopes }: StaticKeySummary): AdminKey {
  return {
    id,
    prefix: null,
    tenant,
    scopes: [...scopes],
    name: null,
    source: 'static',
    created_at: null,
    rotated_at: null,
    expires_at: null,
    last_used_at: null
  }
}

function timeOf (ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
