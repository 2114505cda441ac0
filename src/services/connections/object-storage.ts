import { Type, type Static } from 'typebox'
import { closedObject } from '../../platform/closed-object.ts'

const optional = (maxLength: number, description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description }))

export const credentialsSchema = closedObject({
  access_key_id: Type.String({ minLength: 3, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' }),
  secret_access_key: Type.String({ minLength: 8, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' })
}, { description: 'For `access_key`. They are encrypted before they are stored, and never returned.' })

export const authMethods = ['access_key', 'assume_role', 'iam_role', 'instance_profile', 'workload_identity'] as const
export const reservedAuthMethods = ['sas_token', 'service_account_json'] as const
export const sourceFormats = ['csv', 'json', 'jsonl', 'parquet'] as const
export const compressions = ['gzip', 'zstd'] as const

const fields = {
  provider: optional(32, 'Kind of store, as free text. The test finds out what the store can do.'),
  bucket: Type.String({ minLength: 3, maxLength: 63 }),
  prefix: optional(1024, 'Empty, or with a slash at its end: all objects under it. Otherwise the key of one object.'),
  key_pattern: optional(256,
    'A glob for the keys, or for the part after the prefix: `*`, `?`, and `**` across slashes.'),
  endpoint_url: optional(2048, 'Address of a store other than AWS, such as https://s3.example.com.'),
  region: optional(32, 'Default us-east-1.'),
  auth_method: Type.Enum([...authMethods, ...reservedAuthMethods], {
    description: 'How to authenticate. The last two values are reserved.'
  }),
  file_format: Type.Enum(sourceFormats),
  compression: Type.Optional(
    Type.Union([Type.Enum(compressions), Type.Null()], { description: 'Compression of the files. Parquet needs none.' })
  ),
  role_arn: optional(2048, 'For `assume_role`.'),
  external_id: optional(1224, 'For `assume_role`.')
}

/** `object_storage` of a new connection. */
export const objectStorageSchema = closedObject({
  ...fields,
  credentials: Type.Optional(Type.Union([credentialsSchema, Type.Null()]))
})

/** `object_storage` of a change: absent fields stay, null removes. */
export const objectStorageChangeSchema = closedObject({
  ...fields,
  bucket: Type.Optional(fields.bucket),
  auth_method: Type.Optional(fields.auth_method),
  file_format: Type.Optional(fields.file_format),
  credentials: Type.Optional(Type.Union([credentialsSchema, Type.Null()]))
})

export type ObjectStorageInput = Static<typeof objectStorageSchema>
export type ObjectStorageChange = Static<typeof objectStorageChangeSchema>
export type CredentialsInput = Static<typeof credentialsSchema>
