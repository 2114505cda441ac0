import { readFileSync } from 'node:fs'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { ConfigError } from '../../../platform/config.ts'
import { domainName } from './domain-name.ts'

/** The operator's rules. Each applies to a domain and everything below it. */
export type DomainRules = ReadonlyMap<string, 'allow' | 'block'>

const domains = Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 100_000 }))
const example = 'it looks like {"allow": ["acme.example"], "block": ["rival.example"]}'
const compiled = Compile(Type.Object({ allow: domains, block: domains }, { additionalProperties: false }))

/** Throws ConfigError for a file that cannot be used; the message names the place. */
export function readDomainRules (path: string): DomainRules {
  const refuse = (reason: string, cause?: unknown) =>
    new ConfigError(`TABCAST_SANDBOX_DOMAINS_FILE=${path}: ${reason}`, { cause })
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw refuse(cause instanceof SyntaxError ? `is not JSON; ${example}` : (cause as Error).message, cause)
  }
  if (!compiled.Check(parsed)) {
    const [error] = compiled.Errors(parsed)
    throw refuse(`${error?.instancePath || 'the file'} ${error?.message}; ${example}`)
  }
  const rules = new Map<string, 'allow' | 'block'>()
  for (const kind of ['allow', 'block'] as const) {
    for (const [index, text] of (parsed[kind] ?? []).entries()) {
      const domain = domainName(text)
      const place = `/${kind}/${index} ${JSON.stringify(text)}`
      if (domain === null) {
        throw refuse(`${place} is not a domain; one looks like acme.example and stands for all below it too`)
      }
      if (rules.has(domain) && rules.get(domain) !== kind) {
        throw refuse(`${place} is under allow too: take it out of one`)
      }
      rules.set(domain, kind)
    }
  }
  return rules
}
