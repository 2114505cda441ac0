import { ConfigError, type Config, type SettingName } from '../../../platform/config.ts'
import { withoutTrailingSlash } from '../../../platform/without-trailing-slash.ts'

/** An OpenAI-compatible endpoint of the operator. */
export interface LanguageModelOptions {
  /** The address `{base}/chat/completions`. */
  url: URL
  model: string
  /** Empty: no key is sent. */
  apiKey: string
  /** The time for all requests about one prompt together. */
  timeoutMs: number
}

/** Settings that are an error without an endpoint. */
const dependent: SettingName[] = ['LLM_MODEL', 'LLM_API_KEY']

/** The endpoint of the settings; null: there is none, and only rules read prompts. Throws ConfigError. */
export function languageModelOptions (config: Config): LanguageModelOptions | null {
  const { LLM_BASE_URL: base, LLM_MODEL: model, LLM_API_KEY: apiKey, LLM_TIMEOUT_MS: timeoutMs } = config
  if (base === '') {
    const stray = dependent.find((name) => config[name] !== '')
    if (stray !== undefined) {
      throw new ConfigError(
        `TABCAST_${stray} is set and TABCAST_LLM_BASE_URL is not: set both for a language model, or neither for ` +
          'rules alone'
      )
    }
    return null
  }
  const url = completionsUrl(base)
  if (model === '') {
    throw new ConfigError(
      'TABCAST_LLM_MODEL is missing: TABCAST_LLM_BASE_URL names an endpoint; set the name of a model that it serves'
    )
  }
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw new ConfigError(
      'TABCAST_LLM_API_KEY=<set, not shown>: must be printable ASCII characters without spaces; look for a line ' +
        'break at its end'
    )
  }
  return { url, model, apiKey, timeoutMs }
}

/** The error does not show the value, because a wrong one may contain a password. */
function completionsUrl (base: string): URL {
  const url = URL.canParse(base) ? new URL(base) : undefined
  const isPlain = url !== undefined && ['http:', 'https:'].includes(url.protocol) &&
    url.search + url.hash + url.username + url.password === ''
  if (!isPlain) {
    throw new ConfigError(
      'TABCAST_LLM_BASE_URL: must be an http or https address without query or password, such as ' +
        'http://llm.internal:8000/v1'
    )
  }
  return new URL(`${withoutTrailingSlash(url.href)}/chat/completions`)
}
