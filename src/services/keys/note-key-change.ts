import type { Scope } from './scopes.ts'
import { defined } from '../../platform/defined.ts'

export interface KeyChangeLog {
  info: (line: object, text: string) => void
}

export interface KeyChange {
  action: 'key_created' | 'key_rotated' | 'key_revoked'
  key: { id: string, tenant: string, scopes: readonly Scope[] }
  /** The id of the key that asked, or `command line`. */
  by: string
  requestId?: string
}

/** Logs each change of a key, for later questions about who had access. Never logs a secret. */
export function noteKeyChange (log: KeyChangeLog,
  { action, key: { id, tenant, scopes }, by, requestId }: KeyChange): void {
  log.info({ audit: action, keyId: id, tenant, scopes: scopes.join(' '), by, ...defined({ requestId }) },
    'an API key was changed')
}
