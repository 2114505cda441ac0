import { Type, type Static } from 'typebox'
import { covariateKinds } from '../../domain/external-covariates-spec.ts'
import { text } from './job-life.ts'
import { nullable } from './nullable.ts'

const share = (where: string) =>
  nullable(Type.Number(),
    `Least share of the steps of the ${where} that are known, over variables and places, before anything is filled; ` +
      'null: nothing was fetched.')

/** The outcome of one kind of covariate. */
const source = Type.Object({
  status: Type.Enum(['used', 'partial', 'skipped', 'failed'], {
    description:
      'used: all variables, without a gap; partial: some, or with gaps; skipped: none; failed: the provider did not ' +
      'answer.'
  }),
  reason: text('Why not all was used, by variable; null: all was.'),
  provider: text('Id of the provider that answered; null: none did.'),
  source: Type.String({ description: 'As asked for.' }),
  attribution: text('Whom the values are from, to be shown with results.'),
  variables_requested: Type.Array(Type.String()),
  variables_used: Type.Array(Type.String(), { description: 'Those that the models get.' }),
  location: Type.Optional(
    Type.Object({}, {
      additionalProperties: true,
      description:
        'Of weather and air quality: latitude and longitude, with the city where one was named; or latitude_column, ' +
        'longitude_column and the number of places.'
    })
  ),
  country: Type.Optional(Type.String({ description: 'Of holidays.' })),
  subdivision: Type.Optional(text('Of holidays.')),
  timezone: Type.Optional(text('Of holidays; null: the first of the country.')),
  zone: Type.Optional(Type.String({ description: 'Of electricity.' })),
  line: Type.Optional(Type.String({ description: 'Of transport.' })),
  point_in_time: Type.Boolean(),
  issued_at: text('Newest issue among the values used; null: not known.'),
  published_through: text('Newest publication among the values used; null: not known.'),
  history_coverage: share('history'),
  future_coverage: share('horizon'),
  future_strategy: text('null: the kind has none.'),
  snapshot_id: text(
    'SHA-256 of the values used and their times of publication: equal ids, equal values. null: nothing was fetched.'
  )
}, { additionalProperties: true })

export type SourceMetadata = Static<typeof source>

/** `external_covariate_metadata`. */
export const externalCovariateMetadata = nullable(Type.Object({
  cutoff: Type.String({ description: 'The last observation over all series; of each series its own counts.' }),
  columns_added: Type.Array(Type.String(), {
    description: 'Covariates that the models get: kind, underscore, variable.'
  }),
  warnings: Type.Array(Type.String()),
  sources: Type.Object(Object.fromEntries(covariateKinds.map((kind) => [kind, Type.Optional(source)])), {
    additionalProperties: true,
    description: 'What became of each kind that was asked for.'
  })
}, { additionalProperties: true }),
  'What was used of the external covariates; null: none were asked for, or the job has not completed.')
export type ExternalCovariateMetadata = NonNullable<Static<typeof externalCovariateMetadata>>
