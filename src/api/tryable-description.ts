interface Property {
  default?: unknown
  examples?: unknown[]
}
interface Body {
  schema?: { required?: string[], properties?: Record<string, Property> }
  example?: unknown
}
interface Operation {
  requestBody?: { content: Record<string, Body> }
}

/** Bodies of operations that need fields. Whoever tries one fills in identifiers of what they have. */
const bodies: Readonly<Record<string, object>> = {
  'POST /forecast/storage-object': { object_id: 'obj_ID' },
  'POST /forecast/batch': { requests: [{ object_id: 'obj_ID' }] },
  'POST /v2/classify/storage-object': { object_id: 'obj_ID', label_column: 'left' },
  'POST /v2/regress/storage-object': { object_id: 'obj_ID', label_column: 'price' },
  'POST /fine-tune/storage-object': { object_id: 'obj_ID' },
  'POST /storage/uploads/presign': { filename: 'sales.csv', content_type: 'text/csv' },
  'POST /data-connections': {
    connector_type: 's3_compatible',
    name: 'sales',
    object_storage: { bucket: 'sales', region: 'us-east-1', auth_method: 'instance_profile', file_format: 'csv' }
  },
  'PATCH /data-connections/{connection_id}': { name: 'sales' },
  'POST /data-connections/{connection_id}/credentials': {
    credentials: { access_key_id: 'ACCESS_KEY_ID', secret_access_key: 'SECRET_ACCESS_KEY' }
  },
  'POST /estimate/runtime': { num_items: 20, total_rows: 2_000 },
  'POST /estimate/cost': { num_items: 20, total_rows: 2_000 },
  'POST /admin/keys': { tenant: 'acme' },
  'POST /agent/validate': {
    intent: { forecast_target: 'sales', time_column: 'date', horizon: 12, forecast_frequency: 'MS' },
    columns: ['date', 'sales']
  },
  'POST /webhooks/endpoints': { url: 'https://example.com/tabcast' },
  'PATCH /webhooks/endpoints/{endpoint_id}': { enabled: true }
}

/**
 * The description as the page at /docs/api gets it: with requests that can be sent as they stand. Left to itself the
 * page fills every field, those that nobody needs too, with words such as `string`.
 */
export function tryableDescription<T extends object> (description: T): T {
  const copy = structuredClone(description)
  const { paths = {} } = copy as { paths?: Record<string, Record<string, Operation>> }
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      for (const [type, body] of Object.entries(requestBody?.content ?? {})) {
        if (type === 'multipart/form-data') leaveEmpty(body)
        if (type === 'application/json') body.example = bodies[`${method.toUpperCase()} ${path}`] ?? {}
      }
    }
  }
  return copy
}

/** A field of a form that is empty is not sent. */
function leaveEmpty ({ schema: { required = [], properties = {} } = {} }: Body): void {
  for (const [name, property] of Object.entries(properties)) {
    if (!required.includes(name) && property.default === undefined) property.examples = ['']
  }
}
