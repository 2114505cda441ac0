import { positionOf } from './key-order.ts'
import type { KeySummary } from './key-record.ts'
import type { KeyService } from './key-service.ts'
import type { StaticKeySummary } from './static-keys.ts'

export type ListedKey = { kind: 'issued', key: KeySummary } | { kind: 'static', key: StaticKeySummary }

export interface KeyQuery {
  /** null: all tenants. */
  tenant: string | null
  limit: number
  /** `next` of the previous page. */
  after: string | null
}

/** Keys that are not revoked, newest first. Keys of the static map have no time and come last. */
export function listKeys (keys: KeyService,
  { tenant, limit, after }: KeyQuery): { keys: ListedKey[], next: string | null } {
  const issued = tenant === null ? keys.newest(after, limit + 1) : keys.listTenant(tenant)
  const listed = [...issued.map((key) => ({ kind: 'issued' as const, key })), ...staticKeys(keys, tenant)]
    .map((listed) => ({
      listed,
      position: positionOf(listed.kind === 'issued' ? listed.key.createdAtMs : null, listed.key.id)
    }))
    .filter(({ position }) => after === null || position > after)
    .sort((a, b) => a.position < b.position ? -1 : 1)
  const page = listed.slice(0, limit)
  return { keys: page.map(({ listed }) => listed), next: listed.length > limit ? page.at(-1)?.position ?? null : null }
}

export function findKey (keys: KeyService, id: string): ListedKey | undefined {
  const issued = keys.find(id)
  if (issued !== undefined) return issued.revokedAtMs === null ? { kind: 'issued', key: issued } : undefined
  const key = keys.findStatic(id)
  return key === undefined ? undefined : { kind: 'static', key }
}

/** No more than the operator's file has. */
function staticKeys (keys: KeyService, tenant: string | null): Array<Extract<ListedKey, { kind: 'static' }>> {
  return keys.listStatic(tenant).map((key) => ({ kind: 'static', key }))
}
