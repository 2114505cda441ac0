/**
 * A request names something that does not exist. The message may be shown; `field` is relative to
 * `external_covariates`, such as weather.city.
 */
export class CovariateInputError extends Error {
  override name = 'CovariateInputError'
  readonly field: string

  constructor (field: string, message: string) {
    super(message)
    this.field = field
  }

  /** Field and message, for answers with a single text. */
  get text (): string {
    return `${['external_covariates', this.field].filter((part) => part !== '').join('.')}: ${this.message}`
  }
}
