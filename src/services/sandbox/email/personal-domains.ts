import { createRequire } from 'node:module'
import { domainToASCII } from 'node:url'

const require = createRequire(import.meta.url)

export type PersonalKind = 'free_mail' | 'disposable'

/** Those that the lists lack, of what people ask for most. */
const more = [
  'addy.io',
  'aleeas.com',
  'anonaddy.com',
  'anonaddy.me',
  'passinbox.com',
  'passmail.com',
  'passmail.net',
  'simplelogin.co',
  'simplelogin.fr',
  'slmail.me',
  'duck.com',
  'fastmail.com',
  'fastmail.fm',
  'gmx.ch',
  'hispeed.ch',
  'kakao.com',
  'mailfence.com',
  'mozmail.com',
  'nifty.com',
  'posteo.de',
  'posteo.net',
  'simplelogin.com',
  'skiff.com',
  'tuta.com',
  'tuta.io',
  'tutamail.com',
  'tutanota.com',
  'tutanota.de',
  'zohomail.com',
  'zohomail.eu'
]

/**
 * Domains at which anybody has an address: of e-mail providers (email-providers, ISC) and of those who give addresses
 * away for minutes (disposable-email-domains, CC0). Read when there is a sandbox: 15,000 names, some 9 ms and 1 MB.
 */
export function loadPersonalDomains (): ReadonlyMap<string, PersonalKind> {
  const providers = require('email-providers/all.json') as string[]
  const disposable = require('disposable-email-domains-js/dist/dict/disposable_email_blocklist.json') as string[]
  const domains = new Map<string, PersonalKind>()
  // One of the list has an @; domainToASCII gives nothing for it.
  for (const name of [...providers, ...more]) domains.set(domainToASCII(name), 'free_mail')
  for (const name of disposable) domains.set(name, 'disposable')
  return domains
}
