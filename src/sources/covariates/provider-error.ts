/**
 * Everything that can be wrong with a provider of covariates. The sentence begins with the provider's id. Only the
 * sentence is shown, because a provider's own text may contain anything, even keys.
 */
export const providerCodes = {
  AUTHENTICATION_FAILED: { retryable: false, text: 'does not accept the configured key' },
  NOT_FOUND: { retryable: false, text: 'has nothing for what was asked' },
  REQUEST_REFUSED: { retryable: false, text: 'refuses the request' },
  RATE_LIMITED: { retryable: true, text: 'asks for fewer requests' },
  QUOTA_REACHED: { retryable: true, text: 'has been asked as often as this deployment allows' },
  TIMEOUT: { retryable: true, text: 'did not answer in time' },
  NETWORK_ERROR: { retryable: true, text: 'cannot be reached' },
  TLS_ERROR: { retryable: false, text: 'gives no trusted encrypted connection' },
  ADDRESS_NOT_ALLOWED: { retryable: false, text: 'has an address that this deployment does not connect to' },
  REDIRECTED: {
    retryable: false,
    text: 'answers with a redirect, which is not followed; its configured address is not the right one'
  },
  PROVIDER_UNAVAILABLE: { retryable: true, text: 'reports a failure of its own' },
  ANSWER_TOO_LARGE: { retryable: false, text: 'answers with more than this deployment reads' },
  INVALID_ANSWER: { retryable: false, text: 'answers with something that is not in its documented form' },
  RANGE_TOO_LONG: { retryable: false, text: 'would need more requests for this range than are made for one job' },
  CATALOG_DAMAGED: { retryable: false, text: 'has a folder whose manifest or files are not as declared' }
} as const satisfies Record<string, { retryable: boolean, text: string }>

export type ProviderCode = keyof typeof providerCodes

export interface ProviderErrorDetails {
  /** Written by this code, for example which field is missing; appended to the sentence. */
  detail?: string | undefined
  /** When the provider may be asked again, in milliseconds from now. */
  retryAfterMs?: number | undefined
  /** The provider's refusing answer. */
  answer?: RefusingAnswer
  cause?: unknown
}

export interface RefusingAnswer {
  status: number
  body: Buffer
}

/** The only error of a provider that is not the caller's fault. The provider's own error stays in `cause`. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly provider: string
  readonly code: ProviderCode
  readonly detail: string | undefined
  readonly retryAfterMs: number | undefined
  /** Private, because the properties of an error are logged. */
  readonly #answer: RefusingAnswer | undefined

  constructor (provider: string, code: ProviderCode,
    { detail, retryAfterMs, answer, cause }: ProviderErrorDetails = {}) {
    super(`${provider} ${providerCodes[code].text}${detail === undefined ? '' : `: ${detail}`}.`,
      cause === undefined ? undefined : { cause })
    this.provider = provider
    this.code = code
    this.detail = detail
    this.retryAfterMs = retryAfterMs
    this.#answer = answer
  }

  get answer (): RefusingAnswer | undefined {
    return this.#answer
  }

  get retryable (): boolean {
    return providerCodes[this.code].retryable
  }
}
