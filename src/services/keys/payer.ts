import { sandboxTenant } from './scopes.ts'

/*
 * Who has places and processor time of the api process: a tenant, or one visitor of the sandbox. Everybody has the
 * sandbox's key, so visitors are told apart by the address that speaks for them; what one has counts for all of them
 * together too.
 */

/** No tenant has a space in its name. */
const ofVisitor = `${sandboxTenant} `

export function visitorAt (addressGroup: string): string {
  return ofVisitor + addressGroup
}

export function isVisitor (payer: string): boolean {
  return payer.startsWith(ofVisitor)
}

/** Whom what the payer has is counted for. */
export function countedFor (payer: string): string[] {
  return isVisitor(payer) ? [payer, sandboxTenant] : [payer]
}
