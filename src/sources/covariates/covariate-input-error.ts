/**
 * A request names something that there is not. The message may be shown; `field` lies under `external_covariates`, such
 * as weather.city.
 */
export class CovariateInputError extends Error {
  override name = 'CovariateInputError'
  readonly field: string

  constructor (field: string, message: string) {
    super(message)
    this.field = field
  }

  /** Field and message, for those who have one text for both. */
  get text (): string {
    return `${['external_covariates', this.field].filter((part) => part !== '').join('.')}: ${this.message}`
  }
}
