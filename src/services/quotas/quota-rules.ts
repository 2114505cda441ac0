import { readFileSync } from 'node:fs'
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { ConfigError } from '../../platform/config.ts'
import { sandboxTenant, tenantShape } from '../keys/scopes.ts'

export const quotaNames = ['jobs_per_day', 'rows_per_day', 'stored_bytes'] as const
export type QuotaName = typeof quotaNames[number]
/** null: no limit. */
export type QuotaRule = Record<QuotaName, number | null>

const limit = Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()]))
const rule = Type.Object({ jobs_per_day: limit, rows_per_day: limit, stored_bytes: limit }, {
  additionalProperties: false
})
const schema = Type.Object({
  default: Type.Optional(rule),
  tenants: Type.Optional(Type.Record(Type.String(), rule))
}, { additionalProperties: false })
const compiled = Compile(schema)

export type QuotaRules = Static<typeof schema>

/** Throws ConfigError for a file that cannot be used; the message names the place. */
export function readQuotaRules (path: string): QuotaRules {
  const refuse = (reason: string, cause?: unknown) =>
    new ConfigError(`TABCAST_QUOTAS_FILE=${path}: ${reason}`, { cause })
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw refuse((cause as Error).message, cause)
  }
  if (!compiled.Check(parsed)) {
    const [error] = compiled.Errors(parsed)
    throw refuse(
      `${error?.instancePath || 'the file'} ${
        error?.message === 'schema is false' ? 'is unknown' : error?.message
      }; quotas are ${quotaNames.join(', ')}: whole numbers, or null for none, under default and tenants.<tenant>`
    )
  }
  const wrong = Object.keys(parsed.tenants ?? {}).find((tenant) => !tenantShape.test(tenant))
  if (wrong !== undefined) throw refuse(`tenants: ${JSON.stringify(wrong)} is no name of a tenant`)
  return parsed
}

/** The tenant's own entry, completed from the default. The sandbox is exempt: it has limits of its own. */
export function ruleOf ({ default: everybody = {}, tenants = {} }: QuotaRules, tenant: string): QuotaRule {
  const none = { jobs_per_day: null, rows_per_day: null, stored_bytes: null }
  if (tenant === sandboxTenant) return none
  const own = Object.hasOwn(tenants, tenant) ? tenants[tenant] : {}
  return { ...none, ...everybody, ...own }
}
