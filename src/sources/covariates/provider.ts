import type { KeyOf, Kind } from './covariate-key.ts'
import type { Observations } from './observations.ts'
import type { PublicationLag } from './publication-lag.ts'

export interface CovariateRequest<K extends Kind = Kind> {
  kind: K
  key: KeyOf[K]
  /** As `chooseVariables` returns them. */
  variables: readonly string[]
  /** Valid times from here on, milliseconds UTC. */
  startMs: number
  /** Valid times before this, milliseconds UTC. */
  endMs: number
  /** The last observation of the target, milliseconds UTC. */
  cutoffMs: number
  /** `as_of`: values as they stood at the cutoff, if the provider keeps them; `latest`: current values. */
  mode: 'as_of' | 'latest'
  /** Gives the fetch up; it then rejects with the signal's reason. */
  signal: AbortSignal
}

export interface CovariateAnswer {
  /** For each variable that the provider has. It may have more vintages than the mode needs: `asOf` chooses. */
  observations: ProvidedObservations[]
  missing: MissingVariable[]
}

export interface ProvidedObservations extends Observations {
  /** The publication delay that is declared with the values; absent: the provider's delay for the variable. */
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
  /** The source of the data and their licence; shown wherever they are used. */
  readonly attribution: string
  /** Names of series that the operator added to the known variables. */
  readonly aliases?: readonly string[]
  /** Whether this key and one of the variables can be asked for at all. Makes no request. */
  covers(key: KeyOf[Kind], variables: readonly string[]): boolean | Promise<boolean>
  /** For a mounted catalogue: the location nearest to one that it does not cover, in words; null if there is none. */
  nearest?: (key: KeyOf[Kind]) => Promise<string | null>
  /** The assumed delay until a value is published, if its publication is not known; null: never. */
  lagOf: (variable: string) => PublicationLag | null
  /** Rejects with a ProviderError, a CovariateInputError, or the signal's reason. */
  fetch(request: CovariateRequest): Promise<CovariateAnswer>
}
