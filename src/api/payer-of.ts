import type { FastifyRequest } from 'fastify'
import { visitorAt } from '../services/keys/payer.ts'
import { sandboxTenant } from '../services/keys/scopes.ts'
import { addressGroup } from './address-group.ts'

/** Who pays for a request: the tenant; in the sandbox, the visitor. */
export function payerOf ({ ip }: Pick<FastifyRequest, 'ip'>, tenant: string): string {
  return tenant === sandboxTenant ? visitorAt(addressGroup(ip)) : tenant
}
