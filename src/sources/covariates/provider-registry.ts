import { readFileSync, statSync } from 'node:fs'
import { ConfigError, type Config } from '../../platform/config.ts'
import { catalogProviders } from './catalog/catalog-providers.ts'
import { CovariateInputError } from './covariate-input-error.ts'
import type { KeyOf, Kind } from './covariate-key.ts'
import { lagLookup } from './default-lags.ts'
import { digitraffic } from './digitraffic.ts'
import { ecb } from './ecb.ts'
import { energyCharts } from './energy-charts.ts'
import { entsoe } from './entsoe.ts'
import { fred } from './fred.ts'
import { holidays } from './holidays.ts'
import { AnswerCache } from './http/answer-cache.ts'
import type { Source } from './http/source.ts'
import type { City } from './locations/city.ts'
import { openMeteoAirQuality } from './open-meteo/air-quality.ts'
import { geocode } from './open-meteo/geocoding.ts'
import { openMeteoWeather } from './open-meteo/weather.ts'
import { ProviderNetwork } from './provider-network.ts'
import type { Provider } from './provider.ts'
import { readProvidersFile, type EntryOf, type ProviderEntry } from './providers-file.ts'
import { ecbSeries, fredSeries } from './series-of-aliases.ts'

export interface RegistryOptions {
  entries: readonly ProviderEntry[]
  /** The mounted catalogue; null: none. */
  catalogDirectory: string | null
  /** `none`: providers over the network are never asked. */
  egress: 'none' | 'allowed'
  /** How to ask a provider, by its id and address. */
  sourceAt: (id: string, baseUrl: string) => Source
  /** Caches columns of the mounted catalogue; absent: this registry uses a cache of its own. */
  columns?: AnswerCache
}

/** The deployment's settings that say which providers there are, without their keys. */
export interface CovariateSettings extends Omit<RegistryOptions, 'sourceAt' | 'columns'> {}

const columnCacheBytes = 256 * 1024 * 1024

/** Looks up a city over the network, for cities that the bundled list does not have. */
export type Geocode = (name: string, signal: AbortSignal) => Promise<City[]>

/** How old the list of the catalogue's folders may become. */
const listedMs = 5_000

/**
 * Knows which provider answers for what. The operator's catalogue comes first, then the providers of the file in its
 * order, then the built-in ones.
 */
export class ProviderRegistry {
  readonly #fixed: readonly Provider[]
  readonly #listMounted: () => Promise<Provider[]>
  readonly #egress: 'none' | 'allowed'
  readonly geocode: Geocode | null
  #providers: readonly Provider[]
  #listedMs = -Infinity
  #listing: Promise<void> | undefined
  /** Why the contents of the catalogue are unknown. */
  #unlisted: string | null = null

  constructor (fixed: readonly Provider[], listMounted: () => Promise<Provider[]>, egress: 'none' | 'allowed',
    geocode: Geocode | null) {
    this.#fixed = fixed
    this.#listMounted = listMounted
    this.#egress = egress
    this.geocode = egress === 'none' ? null : geocode
    this.#providers = fixed
  }

  /** Looks at the mounted catalogue again. Rejects with a ProviderError if it cannot be listed. */
  async refresh (): Promise<void> {
    if (performance.now() - this.#listedMs < listedMs) return
    // Whoever asks meanwhile waits for the same listing.
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined
    })
    await this.#listing
  }

  async #list (): Promise<void> {
    try {
      this.#providers = [...await this.#listMounted(), ...this.#fixed]
      this.#unlisted = null
      this.#listedMs = performance.now()
    } catch (error) {
      this.#providers = this.#fixed
      this.#unlisted = (error as Error).message
      throw error
    }
  }

  /** Ids that may be named as a kind's `source`. */
  ids (kind: Kind): string[] {
    return ['auto', ...this.#of(kind).map(({ id }) => id)]
  }

  /** Names of series that the operator added, for `chooseVariables`. */
  aliases (kind: Kind): string[] {
    return this.#of(kind).flatMap(({ aliases = [] }) => aliases)
  }

  /** Whether this deployment has a provider for the kind at all (`provider_available`). */
  isAvailable (kind: Kind): boolean {
    return this.#of(kind).some((provider) => this.#isReachable(provider))
  }

  /**
   * The provider with that id, or with `auto` the first that covers the key and one of the variables. null: there is
   * none, and `reason` says why. Throws CovariateInputError that lists the ids if the id is unknown.
   */
  async choose<K extends Kind> (kind: K, source: string, key: KeyOf[K],
    variables: readonly string[]): Promise<{ provider: Provider, reason: null } | { provider: null, reason: string }> {
    const providers = this.#of(kind)
    if (this.#unlisted !== null && providers.length === 0) return { provider: null, reason: this.#unlisted }
    const asked = source === 'auto' ? providers : providers.filter(({ id }) => id === source)
    if (source !== 'auto' && asked.length === 0) {
      throw new CovariateInputError(`${kind}.source`,
        `${JSON.stringify(source.slice(0, 40))} is not a configured source of ${kind}; one of ${
          this.ids(kind).join(', ')
        }`)
    }
    if (asked.length === 0) return { provider: null, reason: `no source of ${kind} is configured on this deployment` }
    const reachable = asked.filter((provider) => this.#isReachable(provider))
    if (reachable.length === 0) {
      return {
        provider: null,
        reason: `this deployment makes no requests to the outside, and no mounted source has ${kind}`
      }
    }
    for (const provider of reachable) if (await provider.covers(key, variables)) return { provider, reason: null }
    const tried: string[] = []
    for (const { id, nearest } of reachable) {
      const near = await nearest?.(key) ?? null
      tried.push(near === null ? id : `${id} (${near})`)
    }
    return { provider: null, reason: `no source of ${kind} covers what was asked for: ${tried.join(', ')}` }
  }

  /** Ids of the other providers that cover the key, in order; none if the kind has only one. */
  async others<K extends Kind> (kind: K, key: KeyOf[K], variable: string, chosen: string): Promise<string[]> {
    const ids: string[] = []
    for (const provider of this.#of(kind).filter((one) => one.id !== chosen && this.#isReachable(one))) {
      if (await provider.covers(key, [variable])) ids.push(provider.id)
    }
    return ids
  }

  #of (kind: Kind): Provider[] {
    return this.#providers.filter((provider) => provider.kind === kind)
  }

  #isReachable ({ transport }: Provider): boolean {
    return transport !== 'http' || this.#egress === 'allowed'
  }
}

/** The settings of covariates. Throws ConfigError for a wrong file of providers, or a missing catalogue. */
export function covariateSettings (config: Config): CovariateSettings {
  const { COVARIATES_FILE: path, COVARIATES_DIR: directory, EGRESS: egress } = config
  if (directory !== '' && statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new ConfigError(
      `TABCAST_COVARIATES_DIR=${directory}: is not a folder; mount the catalogue there, or leave the setting out`
    )
  }
  return {
    entries: path === '' ? [] : readProvidersFile('TABCAST_COVARIATES_FILE', path, textOf(path)),
    catalogDirectory: directory === '' ? null : directory,
    egress
  }
}

/** The network of the configured providers. Answers are kept on disk only if a failure of that can be reported. */
export function configuredNetwork (config: Config, { entries }: CovariateSettings,
  onCacheFailure?: (error: Error) => void): ProviderNetwork {
  const { COVARIATES_CACHE: folder } = config
  return new ProviderNetwork({
    entries,
    config,
    ...(folder === '' || onCacheFailure === undefined ? {} : { diskCache: { folder, onFailure: onCacheFailure } })
  })
}

/** The registry of a process that asks providers itself. Throws like `covariateSettings`. */
export function configuredRegistry (config: Config, onCacheFailure?: (error: Error) => void): ProviderRegistry {
  const settings = covariateSettings(config)
  const network = configuredNetwork(config, settings, onCacheFailure)
  return openRegistry({ ...settings, sourceAt: (id, baseUrl) => network.source(id, baseUrl) ?? unknown(id) })
}

function unknown (id: string): never {
  throw new Error(`there is no address of the provider ${id}`)
}

function textOf (path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ConfigError(
      `TABCAST_COVARIATES_FILE=${path}: cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'})`,
      { cause }
    )
  }
}

/** The mounted catalogue is known after the first `refresh`. */
export function openRegistry (
  { entries, catalogDirectory, egress, sourceAt, columns = new AnswerCache(columnCacheBytes) }: RegistryOptions
): ProviderRegistry {
  const fromFile = entries.flatMap((entry) => providersOf(entry, (baseUrl) => sourceAt(entry.id, baseUrl)))
  const mounted = async () => catalogDirectory === null ? [] : await catalogProviders(catalogDirectory, columns)
  const geocoder = entries.find((entry): entry is EntryOf<'open_meteo'> =>
    entry.type === 'open_meteo' && entry.base_urls.geocoding !== undefined
  )
  return new ProviderRegistry([...fromFile, holidays()], mounted, egress,
    geocoder === undefined ? null : geocodeWith(geocoder))

  function geocodeWith ({ id, base_urls: urls }: EntryOf<'open_meteo'>): Geocode {
    const source = sourceAt(id, urls.geocoding as string)
    return async (name, signal) => await geocode(source, name, signal)
  }
}

function providersOf (entry: ProviderEntry, sourceAt: (baseUrl: string) => Source): Provider[] {
  const { id, lags } = entry
  switch (entry.type) {
    case 'open_meteo': {
      const { base_urls: urls } = entry
      const weather = openMeteoWeather({
        id,
        forecast: sourceAt(urls.forecast),
        archive: sourceAt(urls.archive),
        previousRuns: urls.previous_runs === undefined ? null : sourceAt(urls.previous_runs),
        singleRuns: urls.single_runs === undefined ? null : sourceAt(urls.single_runs),
        lagOf: lagLookup('weather', lags)
      })
      return urls.air_quality === undefined
        ? [weather]
        : [weather,
          openMeteoAirQuality({ id, source: sourceAt(urls.air_quality), lagOf: lagLookup('air_quality', lags) })]
    }
    case 'fred': {
      const source = sourceAt(entry.base_url)
      const series = { ...fredSeries, ...entry.series }
      return (['macro', 'rates'] as const).map((kind) =>
        fred({ id, kind, source, series, lagOf: lagLookup(kind, lags) })
      )
    }
    case 'ecb': {
      const source = sourceAt(entry.base_url)
      const series = { ...ecbSeries, ...entry.series }
      return (['macro', 'rates'] as const).map((kind) =>
        ecb({ id, kind, source, series, lagOf: lagLookup(kind, lags) })
      )
    }
    case 'energy_charts':
      return [energyCharts({ id, source: sourceAt(entry.base_url), lagOf: lagLookup('electricity', lags) })]
    case 'entsoe':
      return [entsoe({ id, source: sourceAt(entry.base_url), lagOf: lagLookup('electricity', lags) })]
    case 'digitraffic':
      return [digitraffic({ id, source: sourceAt(entry.base_url), lagOf: lagLookup('transport', lags) })]
  }
}
