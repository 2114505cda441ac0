import { Type, type Static } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { JobDelivery } from '../jobs/job-record.ts'
import { defaultTemplate, templateFault } from './key-template.ts'

const formats = ['csv', 'json', 'jsonl', 'parquet'] as const

/** The `output` block of a connection's forecast. */
export const outputSchema = closedObject({
  connection_id: Type.Optional(
    Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
      description: 'The connection to write the table to; null or left out: the source.'
    })
  ),
  key_template: Type.Optional(Type.Union([Type.String({ minLength: 1, maxLength: 1024 }), Type.Null()], {
    description:
      'The key from the root of the bucket. {job_id} and {date}, the UTC date of completion, are filled in. null or ' +
      'left out: service-forecasts/{date}/{job_id} with the extension of the format.'
  })),
  file_format: Type.Enum(formats, { default: 'csv', description: 'Format of the table.' }),
  allow_overwrite: Type.Boolean({ default: false, description: 'Whether to replace an existing object.' })
})

export type Output = Static<typeof outputSchema>

/** Throws validation_error for an invalid key template. */
export function resolveOutput (output: Output, sourceId: string): JobDelivery {
  const { connection_id: connectionId, key_template: given, file_format: fileFormat, allow_overwrite: allowOverwrite } =
    output
  const keyTemplate = given ?? defaultTemplate(fileFormat)
  const error = templateFault(keyTemplate)
  if (error !== undefined) {
    throw new TabcastError('validation_error', undefined, {
      fields: [{
        loc: ['body', 'output', 'key_template'],
        msg: error,
        type: 'value_error',
        input: keyTemplate.slice(0, 200),
        ctx: { error }
      }]
    })
  }
  return {
    connectionId: connectionId ?? sourceId,
    keyTemplate,
    fileFormat,
    allowOverwrite,
    status: 'pending',
    uri: null,
    error: null,
    attempts: 0,
    dueMs: null
  }
}
