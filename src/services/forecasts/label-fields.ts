import { Type, type Static, type TObject } from 'typebox'
import type { FieldError } from '../../domain/error-codes.ts'

export const maxMetadataBytes = 2048
/** As many as 2 KiB hold: of two letters and a digit, with quotes, colon and comma. */
export const maxMetadataKeys = 400

/** What the caller says about a job that is no part of what it does. */
export const labelFields = {
  callback_url: Type.Optional(Type.Union([Type.String({ maxLength: 2048 }), Type.Null()], {
    description:
      'Address that is told when the job has ended, as Standard Webhooks has it: https, on port 443 or 8443 of a ' +
      'public address, unless the deployment opens others. The secret of the signature is at /webhooks/secret.'
  })),
  name: Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()], { description: 'Shown on the job.' })
  ),
  metadata: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Unknown(), { maxProperties: maxMetadataKeys }), Type.Null()], {
      description: 'JSON object of at most 2 KiB, shown on the job.'
    })
  )
}

export type LabelFields = Static<TObject<typeof labelFields>>

/** What a schema cannot say of them; the address is judged by the policy of callbacks. */
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
