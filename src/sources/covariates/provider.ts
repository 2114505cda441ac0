import type { KeyOf, Kind } from './covariate-key.ts'
import type { Observations } from './observations.ts'
import type { PublicationLag } from './publication-lag.ts'

export interface CovariateRequest<K extends Kind = Kind> {
  kind: K
  key: KeyOf[K]
  /** As `chooseVariables` gives them. */
  variables: readonly string[]
  /** Valid times from here on, milliseconds UTC. */
  startMs: number
  /** Valid times before this, milliseconds UTC. */
  endMs: number
  /** The last observation of the target, milliseconds UTC. */
  cutoffMs: number
  /** `as_of`: values as they stood at the cutoff, so far as the provider keeps them; `latest`: as they stand now. */
  mode: 'as_of' | 'latest'
  /** Gives the fetch up; it then rejects with the signal's reason. */
  signal: AbortSignal
}

export interface CovariateAnswer {
  /** Of each variable that the provider has. A provider may give more vintages than the mode needs: `asOf` chooses. */
  observations: ProvidedObservations[]
  missing: MissingVariable[]
}

export interface ProvidedObservations extends Observations {
  /** The delay of publication that is declared beside the values; left out: the provider's for the variable. */
  lag?: PublicationLag
}

export interface MissingVariable {
  variable: string
  reason: string
}

export type Transport = 'builtin' | 'catalog' | 'http'

export interface Provider {
  readonly id: string
  readonly kind: Kind
  readonly transport: Transport
  /** Whom the data come from and under which licence; shown wherever they are used. */
  readonly attribution: string
  /** Names of series that the operator gave it, besides the known variables. */
  readonly aliases?: readonly string[]
  /** Whether this key, and one of the variables, can be asked for at all, without asking. */
  covers(key: KeyOf[Kind], variables: readonly string[]): boolean | Promise<boolean>
  /**
   * Of a mounted catalogue: what it has nearest to a place that it does not cover, in words; null: there is nothing to
   * say.
   */
  nearest?: (key: KeyOf[Kind]) => Promise<string | null>
  /** How long after a value its publication is assumed, where it is not known; null: never. */
  lagOf(variable: string): PublicationLag | null
  /** Rejects with a ProviderError, a CovariateInputError, or the signal's reason. */
  fetch(request: CovariateRequest): Promise<CovariateAnswer>
}
