import type { FieldError } from '../../domain/error-codes.ts'
import type { ExternalCovariatesSpec } from '../../domain/external-covariates-spec.ts'
import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import { TabcastError } from '../../platform/errors.ts'
import { CovariateInputError } from './covariate-input-error.ts'
import type { Kind } from './covariate-key.ts'
import { PlaceLookup, type PlaceLookupOptions } from './locations/place-lookup.ts'
import type { ProviderRegistry } from './provider-registry.ts'
import { covariateFieldError, type KnownSources } from './resolve-external-covariates.ts'

/**
 * Answers what the api has to know about covariates from outside: which providers and locations there are. It makes no
 * requests to providers.
 */
export class CovariateDesk implements KnownSources {
  readonly #registry: ProviderRegistry
  readonly #places: PlaceLookup

  constructor (registry: ProviderRegistry, lookup: PlaceLookupOptions) {
    this.#registry = registry
    this.#places = new PlaceLookup(lookup)
  }

  ids (kind: Kind): string[] {
    return this.#registry.ids(kind)
  }

  aliases (kind: Kind): string[] {
    return this.#registry.aliases(kind)
  }

  /** Whether this deployment has a provider for the kind at all. */
  isAvailable (kind: Kind): boolean {
    return this.#registry.isAvailable(kind)
  }

  /** Looks at the mounted catalogue again. Throws storage_error if it cannot be listed. */
  async refresh (): Promise<void> {
    try {
      await this.#registry.refresh()
    } catch (cause) {
      throw new TabcastError('storage_error', 'The catalogue of covariates cannot be read.', { cause })
    }
  }

  /**
   * Fills in the location of each city. Throws validation_error for a city or a country that does not exist. If the
   * operator has a geocoder, a city that the bundled list lacks is left to the job.
   */
  async settle (tenant: string, spec: ForecastSpec): Promise<ForecastSpec> {
    if (spec.externalCovariates === undefined) return spec
    const wrong: FieldError[] = []
    const settled: ExternalCovariatesSpec[] = []
    for (const one of spec.externalCovariates) {
      try {
        settled.push({ ...one, where: await this.#places.settle(tenant, one.where, `${one.kind}.city`) })
      } catch (error) {
        if (!(error instanceof CovariateInputError)) throw error
        if (one.where.type === 'city' && this.#registry.geocode !== null) settled.push(one)
        else wrong.push(covariateFieldError(error))
      }
    }
    if (wrong.length > 0) throw new TabcastError('validation_error', undefined, { fields: wrong })
    return { ...spec, externalCovariates: settled }
  }

  async close (): Promise<void> {
    await this.#places.close()
  }
}
