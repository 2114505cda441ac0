import { sandboxTenant } from './scopes.ts'

/*
 * Places and processor time of the api belong to a payer: a tenant, or one visitor of the sandbox. All visitors share
 * the sandbox's key, so they are told apart by address. What one visitor uses also counts for the sandbox as a whole.
 */

/** Slugs of tenants have no spaces. */
const ofVisitor = `${sandboxTenant} `

export function visitorAt (addressGroup: string): string {
  return ofVisitor + addressGroup
}

export function isVisitor (payer: string): boolean {
  return payer.startsWith(ofVisitor)
}

/** The names that the payer's use counts for. */
export function countedFor (payer: string): string[] {
  return isVisitor(payer) ? [payer, sandboxTenant] : [payer]
}
