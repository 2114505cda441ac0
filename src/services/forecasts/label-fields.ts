import { Type, type Static, type TObject } from 'typebox'
import type { FieldError } from '../../domain/error-codes.ts'

export const maxMetadataBytes = 2048
/** As many as fit into 2 KiB: names of three characters, with quotes, colon and comma. */
export const maxMetadataKeys = 400

/** Fields that label a job and do not change what it computes. */
export const labelFields = {
  callback_url: Type.Optional(Type.Union([Type.String({ maxLength: 2048 }), Type.Null()], {
    description: 'Receives a callback when the job has ended, as Standard Webhooks specifies. It must be https on ' +
      'port 443 or 8443 of a public address, unless the deployment allows others. GET /webhooks/secret ' +
      'returns the secret of the signature.'
  })),
  name: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], {
      description: 'A name that the job shows.'
    })
  ),
  metadata: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Unknown(), { maxProperties: maxMetadataKeys }), Type.Null()], {
      description: 'A JSON object of at most 2 KiB that the job shows.'
    })
  )
}

export type LabelFields = Static<TObject<typeof labelFields>>

/** The rules that a schema cannot express. The policy of callbacks checks the address. */
export function labelErrors ({ metadata }: Pick<LabelFields, 'metadata'>): FieldError[] {
  if (metadata === undefined || metadata === null || Buffer.byteLength(JSON.stringify(metadata)) <= maxMetadataBytes) {
    return []
  }
  return [{
    loc: ['body', 'metadata'],
    msg: `Metadata should have at most ${maxMetadataBytes} bytes as JSON`,
    type: 'too_long',
    ctx: { max_length: maxMetadataBytes }
  }]
}
