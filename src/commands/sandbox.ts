import { domainToASCII } from 'node:url'
import type { Config } from '../config.ts'
import { callAdminSocketIfThere } from '../keys/key-administration.ts'
import { DomainClaims, type ListedClaim } from '../sandbox/domain-claims.ts'
import type { DataFolder } from './data-folder.ts'
import { reachData } from './reach-data.ts'
import { UsageError } from './usage-error.ts'

export interface ReleaseRequest { domain: string }

/** `tabcast sandbox list [DOMAIN] | release DOMAIN`, through the socket of the running api or on the data folder. null: not a known form of the command. */
export async function runSandboxCommand (config: Config, [action, domain, ...more]: string[], print: (line: string) => void): Promise<number | null> {
  if (more.length > 0) return null
  if (action === 'list') return await list(config, domain === undefined ? null : domainOf(domain), print)
  if (action !== 'release') return null
  if (domain === undefined) throw new UsageError('sandbox release: the DOMAIN is missing, such as acme.example')
  return await release(config, domainOf(domain), print)
}

async function list (config: Config, domain: string | null, print: (line: string) => void): Promise<number> {
  const show = (claims: ListedClaim[]): void => {
    for (const { id, atMs, jobId } of claims) print(`${id.slice(0, 16)}  ${new Date(atMs).toISOString()}  ${jobId}`)
    print(domain === null ? `${claims.length} domains have had their job${claims.length === 0 ? '' : ', the newest first; they are kept as digests'}` : `${domain} has had ${claims.length === 0 ? 'no job' : 'its job'}`)
  }
  const query = domain === null ? '' : `?domain=${encodeURIComponent(domain)}`
  await reachData(config, async (socket) => {
    const claims = await callAdminSocketIfThere(socket, 'GET', `/sandbox/claims${query}`) as ListedClaim[] | undefined
    if (claims !== undefined) show(claims)
    return claims !== undefined
  }, async (folder) => show(claimsOf(folder).list(domain)))
  return 0
}

async function release (config: Config, domain: string, print: (line: string) => void): Promise<number> {
  let isReleased = false
  await reachData(config, async (socket) => {
    const answer = await callAdminSocketIfThere(socket, 'POST', '/sandbox/release', { domain } satisfies ReleaseRequest) as { released: boolean } | undefined
    isReleased = answer?.released === true
    return answer !== undefined
  }, async (folder) => { isReleased = await claimsOf(folder).release(domain) })
  print(isReleased ? `${domain} may have a job again` : `${domain} has had no job; a claim is that of the registered domain, such as acme.example for mail.acme.example`)
  return isReleased ? 0 : 1
}

/** As the sandbox has it: ASCII, lower case; of an address what is behind the @. */
function domainOf (text: string): string {
  const domain = domainToASCII(text.slice(text.lastIndexOf('@') + 1))
  if (domain === '' || !domain.includes('.')) throw new UsageError(`sandbox: ${JSON.stringify(text)} is no domain; one looks like acme.example`)
  return domain
}

/** The window does not matter to whoever looks. */
function claimsOf ({ metadata, secrets: { pepper } }: DataFolder): DomainClaims {
  return new DomainClaims({ metadata, pepper, windowMs: Infinity })
}
