import { ConfigError, type Config } from '../platform/config.ts'
import { storeConfig } from '../platform/store/store-config.ts'
import { languageModelOptions } from '../services/agent/language-model/language-model-options.ts'
import { KeyInputError } from '../services/keys/scopes.ts'
import { readStaticKeys } from '../services/keys/static-keys.ts'
import { readQuotaRules } from '../services/quotas/quota-rules.ts'
import { captchaOptions } from '../services/sandbox/captcha/captcha-options.ts'
import { readDomainRules } from '../services/sandbox/email/domain-rules.ts'
import { configuredRegistry } from '../sources/covariates/provider-registry.ts'

/** Settings that depend on each other, and the files that they name. Throws ConfigError for what stops a start. */
export function checkSettings (config: Config): void {
  storeConfig(config)
  if (config.NATS_REPLICAS > 1 && config.NATS_URL === '') {
    throw new ConfigError(
      'TABCAST_NATS_REPLICAS: the queue that the service starts itself is a single server; name a ' +
        'cluster in TABCAST_NATS_URL'
    )
  }
  languageModelOptions(config)
  configuredRegistry(config)
  if (config.QUOTAS_FILE !== '') readQuotaRules(config.QUOTAS_FILE)
  if (config.STATIC_KEYS_FILE !== '') checkStaticKeys(config.STATIC_KEYS_FILE)
  if (config.SANDBOX_ENABLED) {
    captchaOptions(config)
    if (config.SANDBOX_DOMAINS_FILE !== '') readDomainRules(config.SANDBOX_DOMAINS_FILE)
  }
}

function checkStaticKeys (path: string): void {
  try {
    readStaticKeys(path, (key) => key)
  } catch (error) {
    if (error instanceof KeyInputError) throw staticKeysError(path, error)
    throw error
  }
}

/** An invalid static map is a wrong setting, which a restart would not fix. */
export function staticKeysError (path: string, cause: KeyInputError): ConfigError {
  return new ConfigError(`TABCAST_STATIC_KEYS_FILE=${path}: ${cause.message}`, { cause })
}
