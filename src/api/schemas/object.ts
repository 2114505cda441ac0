import { Type, type Static } from 'typebox'
import { objectStatuses, type StoredObject } from '../../services/objects/object-record.ts'

const time = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })

export const storedObjectSchema = Type.Object({
  object_id: Type.String(),
  status: Type.Enum(objectStatuses, {
    description: 'failed: the address expired unused, or the file did not match the request.'
  }),
  original_filename: Type.String(),
  content_type: Type.String(),
  created_at: time,
  file_size: Type.Optional(Type.Integer({ description: 'Bytes, once known.' })),
  uploaded_at: Type.Optional(time)
}, { $id: 'StoredObject' })

export const objectListSchema = Type.Object({
  objects: Type.Array(Type.Ref('StoredObject')),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Send it as `cursor` to get the next page; null: this is the last page.'
  })
}, { $id: 'ObjectList' })

export const presignedUploadSchema = Type.Object({
  object_id: Type.String(),
  upload_url: Type.String({ description: 'The address takes one upload, until it expires.' }),
  expires_at: time,
  method: Type.Literal('PUT'),
  required_headers: Type.Object({}, {
    additionalProperties: Type.String(),
    description: 'Send exactly these headers; the signature covers them.'
  })
}, { $id: 'PresignedUpload' })

export const presignedDownloadSchema = Type.Object({
  object_id: Type.String(),
  download_url: Type.String(),
  expires_at: time,
  method: Type.Literal('GET')
}, { $id: 'PresignedDownload' })

const text = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const objectPreviewSchema = Type.Object({
  object_id: Type.String(),
  columns: Type.Array(Type.String()),
  sample: Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'Rows by column name.' }),
  total_preview_rows: Type.Integer(),
  detected_timestamp_column: text('null: no column looks suitable.'),
  detected_target_column: text('null: no column looks suitable.'),
  detected_item_id_column: text('null: no column looks suitable.'),
  detected_frequency: Type.Optional(Type.String({ description: 'Absent if it cannot be inferred.' })),
  delimiter: Type.String(),
  encoding: Type.String(),
  quote: text('null: no cell is quoted.'),
  truncated: Type.Boolean({ description: 'Whether the file has more rows than these.' })
}, { $id: 'ObjectPreview' })

/** Each field is picked by name, so that the key of the bytes stays internal. */
export function renderObject (record: StoredObject): Static<typeof storedObjectSchema> {
  return {
    object_id: record.objectId,
    status: record.status,
    original_filename: record.filename,
    content_type: record.contentType,
    created_at: new Date(record.createdAtMs).toISOString(),
    ...(record.fileSize === null ? {} : { file_size: record.fileSize }),
    ...(record.uploadedAtMs === null ? {} : { uploaded_at: new Date(record.uploadedAtMs).toISOString() })
  }
}
