import type { Config } from '../platform/config.ts'
import { callAdminSocketIfThere } from '../services/keys/key-administration.ts'
import { DomainClaims, type ListedClaim } from '../services/sandbox/domain-claims.ts'
import { domainName } from '../services/sandbox/email/domain-name.ts'
import type { DataFolder } from './data-folder.ts'
import { reachData } from './reach-data.ts'
import { UsageError } from './usage-error.ts'

export interface ReleaseRequest {
  domain: string
}
interface ReleaseAnswer {
  released: boolean
}

type Print = (line: string) => void

/**
 * `tabcast sandbox list [DOMAIN] | release DOMAIN`, through the socket of the running api or on the data folder. null
 * for wrong usage.
 */
export async function runSandboxCommand (config: Config, args: string[], print: Print): Promise<number | null> {
  const [action, domain, ...more] = args
  if (more.length > 0) return null
  if (action === 'list') return await list(config, domain === undefined ? null : domainOf(domain), print)
  if (action !== 'release') return null
  if (domain === undefined) throw new UsageError('sandbox release: the DOMAIN is missing, such as acme.example')
  return await release(config, domainOf(domain), print)
}

async function list (config: Config, domain: string | null, print: Print): Promise<number> {
  const show = (claims: ListedClaim[]): void => {
    for (const { id, atMs, jobId } of claims) print(`${id.slice(0, 16)}  ${new Date(atMs).toISOString()}  ${jobId}`)
    if (domain !== null) print(`${domain} has had ${claims.length === 0 ? 'no job' : 'its job'}`)
    else {print(
        `${claims.length} domains have had their job${
          claims.length === 0 ? '' : ', the newest first; they are kept as digests'
        }`
      )}
  }
  const query = domain === null ? '' : `?domain=${encodeURIComponent(domain)}`
  await reachData(config, async (socket) => {
    const claims = await callAdminSocketIfThere(socket, 'GET', `/sandbox/claims${query}`) as ListedClaim[] | undefined
    if (claims !== undefined) show(claims)
    return claims !== undefined
  }, async (folder) => show(claimsOf(folder).list(domain)))
  return 0
}

async function release (config: Config, domain: string, print: Print): Promise<number> {
  let isReleased = false
  await reachData(config, async (socket) => {
    const request: ReleaseRequest = { domain }
    const answer = await callAdminSocketIfThere(socket, 'POST', '/sandbox/release', request) as
      | ReleaseAnswer
      | undefined
    isReleased = answer?.released === true
    return answer !== undefined
  }, async (folder) => {
    isReleased = await claimsOf(folder).release(domain)
  })
  if (isReleased) print(`${domain} may have a job again`)
  else print(`${domain} has had no job; name the registered domain, such as acme.example for mail.acme.example`)
  return isReleased ? 0 : 1
}

/** The domain in the sandbox's form; of an address, the part after the @. */
function domainOf (text: string): string {
  const domain = domainName(text.slice(text.lastIndexOf('@') + 1))
  if (domain === null) {
    throw new UsageError(`sandbox: ${JSON.stringify(text)} is no domain; one looks like acme.example`)
  }
  return domain
}

/** The window does not matter for listing and releasing. */
function claimsOf ({ metadata, secrets: { pepper } }: DataFolder): DomainClaims {
  return new DomainClaims({ metadata, pepper, windowMs: Infinity })
}
