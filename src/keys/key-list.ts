import type { KeySummary } from './key-record.ts'
import type { KeyService, StaticKeySummary } from './key-service.ts'

export type ListedKey = { kind: 'issued', key: KeySummary } | { kind: 'static', key: StaticKeySummary }

export interface KeyQuery {
  /** null: of every tenant. */
  tenant: string | null
  limit: number
  /** `next` of the page before. */
  after: string | null
}

/** Keys that are not revoked, the newest first; those of the static map, which have no time, come last. */
export function listKeys (keys: KeyService, { tenant, limit, after }: KeyQuery): { keys: ListedKey[], next: string | null } {
  const listed = allKeys(keys)
    .filter(({ key }) => tenant === null || key.tenant === tenant)
    .map((listed) => ({ listed, position: positionOf(listed) }))
    .filter(({ position }) => after === null || position > after)
    .sort((a, b) => a.position < b.position ? -1 : 1)
  const page = listed.slice(0, limit)
  return { keys: page.map(({ listed }) => listed), next: listed.length > limit ? page.at(-1)?.position ?? null : null }
}

export function findKey (keys: KeyService, id: string): ListedKey | undefined {
  return allKeys(keys).find(({ key }) => key.id === id)
}

function allKeys (keys: KeyService): ListedKey[] {
  return [
    ...keys.list().filter(({ revokedAtMs }) => revokedAtMs === null).map((key) => ({ kind: 'issued' as const, key })),
    ...keys.listStatic().map((key) => ({ kind: 'static' as const, key }))
  ]
}

/** Texts that sort as the list does; a key that is made or revoked between two pages shifts none of the others. */
function positionOf ({ kind, key }: ListedKey): string {
  const age = kind === 'issued' ? Number.MAX_SAFE_INTEGER - key.createdAtMs : Number.MAX_SAFE_INTEGER
  return `${String(age).padStart(16, '0')} ${key.id}`
}
