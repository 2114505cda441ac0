import { Type, type Static } from 'typebox'
import { covariateKinds } from '../../domain/external-covariates-spec.ts'
import { text } from './job-life.ts'
import { nullable } from './nullable.ts'

const share = (where: string) =>
  nullable(Type.Number(),
    `Share of the steps of the ${where} with a known value, before gaps are filled: the smallest over all variables ` +
      'and places. null: nothing was fetched.')

/** The outcome of one kind of covariate. */
const source = Type.Object({
  status: Type.Enum(['used', 'partial', 'skipped', 'failed'], {
    description:
      'used: all variables without a gap. partial: some variables, or with gaps. skipped: none. failed: the provider ' +
      'did not answer.'
  }),
  reason: text('Why variables were not used; null: all were used.'),
  provider: text('Id of the provider that answered; null: none answered.'),
  source: Type.String({ description: 'As requested.' }),
  attribution: text('The owner of the values; show it with the results.'),
  variables_requested: Type.Array(Type.String()),
  variables_used: Type.Array(Type.String(), { description: 'The variables that the models use.' }),
  location: Type.Optional(
    Type.Object({}, {
      additionalProperties: true,
      description:
        'For weather and air quality: latitude and longitude, and the city if the request names one. With columns of ' +
        'coordinates: latitude_column, longitude_column and the number of places.'
    })
  ),
  country: Type.Optional(Type.String({ description: 'For holidays.' })),
  subdivision: Type.Optional(text('For holidays.')),
  timezone: Type.Optional(text('For holidays; null: the first time zone of the country.')),
  zone: Type.Optional(Type.String({ description: 'For electricity.' })),
  line: Type.Optional(Type.String({ description: 'For transport.' })),
  point_in_time: Type.Boolean(),
  issued_at: text('Latest time at which one of the values was issued; null: not known.'),
  published_through: text('Latest time at which one of the values was published; null: not known.'),
  history_coverage: share('history'),
  future_coverage: share('horizon'),
  future_strategy: text('null: the kind has none.'),
  snapshot_id: text(
    'SHA-256 of the values and their times of publication. Equal ids mean equal values. null: nothing was fetched.'
  )
}, { additionalProperties: true })

export type SourceMetadata = Static<typeof source>

/** `external_covariate_metadata`. */
export const externalCovariateMetadata = nullable(Type.Object({
  cutoff: Type.String({
    description: 'Time of the last observation of all series. Each series uses its own last observation.'
  }),
  columns_added: Type.Array(Type.String(), {
    description: 'Covariates that the models use, named kind, underscore, variable.'
  }),
  warnings: Type.Array(Type.String()),
  sources: Type.Object(Object.fromEntries(covariateKinds.map((kind) => [kind, Type.Optional(source)])), {
    additionalProperties: true,
    description: 'The outcome of each requested kind.'
  })
}, { additionalProperties: true }),
  'Which external covariates were used; null: the request asks for none, or the job has not completed.')
export type ExternalCovariateMetadata = NonNullable<Static<typeof externalCovariateMetadata>>
