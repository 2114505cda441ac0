import type { Config } from '../../../platform/config.ts'
import { watchFile } from '../../../platform/disk/watch-file.ts'
import { TabcastError } from '../../../platform/errors.ts'
import { readDomainRules, type DomainRules } from './domain-rules.ts'
import { domainOfAddress } from './email-address.ts'
import { loadPersonalDomains, type PersonalKind } from './personal-domains.ts'
import { loadPublicSuffixes } from './public-suffixes.ts'

/** Tells company addresses from addresses that anybody can have, by the domain alone. */
export interface CorporateAddresses {
  /** The registrable domain, as lower-case ASCII. Throws validation_error or sandbox_corporate_email_required. */
  domainOf(email: string): string
  close(): void
}

export interface CorporateAddressesOptions {
  config: Pick<Config, 'SANDBOX_DOMAINS_FILE'>
  /** Called when the operator's changed file is invalid; the previous one stays in force. */
  onError: (error: Error) => void
}

type Refusal = PersonalKind | 'blocked' | 'hosted' | 'no_domain'

const refusals: Record<Refusal, string> = {
  free_mail: 'Anybody can have an address at this provider.',
  disposable: 'Addresses at this domain are disposable.',
  blocked: 'The operator of this service takes no addresses of this domain.',
  hosted: 'This is a name below that of a hosting service, which anybody can have.',
  no_domain: 'The address is not at a domain that a company can register.'
}

/** Reads the lists, so call it only when there is a sandbox. Throws ConfigError for an invalid file of the operator. */
export function openCorporateAddresses ({ config, onError }: CorporateAddressesOptions): CorporateAddresses {
  const findRegistrable = loadPublicSuffixes()
  const personal = loadPersonalDomains()
  const path = config.SANDBOX_DOMAINS_FILE
  const file = path === '' ? undefined : watchFile({ path, read: readDomainRules, onError })
  const none: DomainRules = new Map()

  return {
    domainOf (email) {
      const host = domainOfAddress(email)
      if (host === null) throw refused('no_domain')
      const names = withParents(host)
      const rules = file?.value() ?? none
      // The most specific rule decides, before any list.
      const ruled = names.find((name) => rules.has(name))
      const isAllowed = ruled !== undefined && rules.get(ruled) === 'allow'
      if (ruled !== undefined && !isAllowed) throw refused('blocked')
      const registrable = findRegistrable(host)
      // Without a registrable domain (the operator's own network, or a public suffix), the ruled name stands for the
      // company.
      if (isAllowed) return registrable?.domain ?? ruled
      if (registrable === null) throw refused('no_domain')
      const listed = names.slice(0, names.indexOf(registrable.domain) + 1).find((name) => personal.has(name))
      if (listed !== undefined) throw refused(personal.get(listed) ?? 'free_mail')
      if (registrable.isHosted) throw refused('hosted')
      return registrable.domain
    },
    close: () => file?.close()
  }
}

/** a.b.c, b.c, c. */
function withParents (host: string): string[] {
  const labels = host.split('.')
  return labels.map((_label, index) => labels.slice(index).join('.'))
}

/** The error does not repeat the address, which is personal data. */
function refused (reason: Refusal): TabcastError {
  const text = `The sandbox needs a corporate e-mail address. ${refusals[reason]}`
  return new TabcastError('sandbox_corporate_email_required', text, {
    reason,
    suggestion: 'Use the address that your company gave you, or ask the operator of this service to take it.'
  })
}
