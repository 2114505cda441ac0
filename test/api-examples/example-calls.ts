/** A request that works as it stands once `{job_id}` and the like are what earlier answers gave. */
export interface ExampleCall {
  route: string
  /** Which key may call it; tenant unless given. */
  by?: 'admin' | 'sandbox'
  query?: string
  body?: object
  form?: Record<string, string | number>
  /** What the form has as `file`. */
  file?: 'sales.csv' | 'customers.csv'
  /** The schema of the answer, where the route has several. */
  answer?: string
  /** The next request needs the job to have ended. */
  ends?: true
  /** Only the request is an example: it needs a captcha, an address elsewhere, or what was just deleted. */
  isNotSent?: true
}

const objectStorage = {
  bucket: 'sales',
  prefix: 'history/',
  endpoint_url: '{endpoint}',
  region: 'us-east-1',
  auth_method: 'access_key',
  file_format: 'csv',
  credentials: { access_key_id: '{access_key_id}', secret_access_key: '{secret_access_key}' }
}
const sandbox = { email: 'ana@acme.example', captcha_token: 'TOKEN' }

/** In this order: of several answers with one schema the last one is the example. */
export const exampleCalls: ExampleCall[] = [
  { route: 'GET /health' },
  { route: 'GET /livez' },
  { route: 'GET /models' },
  { route: 'GET /limits' },

  { route: 'POST /admin/keys', by: 'admin', body: { tenant: 'acme', name: 'nightly', expires: '90d' } },
  { route: 'GET /admin/keys', by: 'admin', query: '?tenant=acme&limit=1' },
  { route: 'GET /admin/keys/{id}', by: 'admin' },
  { route: 'POST /admin/keys/{id}/rotate', by: 'admin', body: { overlap: '24h' } },
  { route: 'DELETE /admin/keys/{id}', by: 'admin' },
  { route: 'POST /keys', body: { name: 'dashboard', scopes: ['jobs:read'], expires: '90d' } },
  { route: 'POST /keys/{id}/rotate', body: { overlap: '24h' } },
  { route: 'GET /keys', query: '?limit=1' },
  { route: 'GET /keys/{id}' },
  { route: 'DELETE /keys/{id}' },

  { route: 'POST /storage/uploads/presign', body: { filename: 'sales.csv', content_type: 'text/csv' } },
  { route: 'PUT /objects/{*}', file: 'sales.csv' },
  { route: 'POST /storage/uploads/{object_id}/complete' },
  { route: 'GET /storage/objects', query: '?limit=1' },
  { route: 'GET /storage/objects/{object_id}' },
  { route: 'GET /storage/objects/{object_id}/preview' },
  { route: 'GET /storage/objects/{object_id}/download-url' },
  { route: 'GET /objects/{*}', isNotSent: true },

  { route: 'POST /estimate/runtime', body: { num_items: 20, total_rows: 2_000 } },
  { route: 'POST /estimate/cost', body: { num_items: 20, total_rows: 2_000 } },
  { route: 'POST /agent/extract', form: { prompt: 'the next 6 months by item_id' }, file: 'sales.csv' },
  { route: 'POST /agent/analyze', form: { horizon: 6 }, file: 'sales.csv' },
  {
    route: 'POST /agent/validate',
    body: {
      intent: { forecast_target: 'target', time_column: 'timestamp', horizon: 6, forecast_frequency: 'MS' },
      columns: ['item_id', 'timestamp', 'target']
    }
  },
  { route: 'POST /agent/forecast', form: { prompt: 'the next 6 months by item_id' }, file: 'sales.csv', ends: true },

  { route: 'GET /sandbox/challenge', by: 'sandbox' },
  { route: 'POST /sandbox/forecast', form: sandbox, file: 'sales.csv', isNotSent: true },
  {
    route: 'POST /sandbox/classify',
    form: { ...sandbox, label_column: 'churned' },
    file: 'customers.csv',
    isNotSent: true
  },
  { route: 'POST /sandbox/regress', form: { ...sandbox, label_column: 'age' }, file: 'customers.csv', isNotSent: true },

  { route: 'POST /v2/regress', form: { label_column: 'age' }, file: 'customers.csv', ends: true },
  {
    route: 'POST /v2/classify/storage-object',
    body: { object_id: '{object_id}', label_column: 'item_id' },
    ends: true
  },
  { route: 'POST /v2/regress/storage-object', body: { object_id: '{object_id}', label_column: 'target' }, ends: true },
  { route: 'POST /v2/classify', form: { label_column: 'churned' }, file: 'customers.csv', ends: true },
  { route: 'GET /jobs/{job_id}', answer: 'TabularJob' },
  { route: 'GET /jobs/{job_id}/artifacts/{name}', isNotSent: true },

  { route: 'POST /fine-tune', form: { name: 'shops', prediction_length: 6 }, file: 'sales.csv', ends: true },
  {
    route: 'POST /fine-tune/storage-object',
    body: { object_id: '{object_id}', name: 'stores', prediction_length: 6 },
    ends: true
  },
  { route: 'GET /fine-tune/models', query: '?limit=1' },
  { route: 'GET /fine-tune/models/{model_id}' },
  { route: 'DELETE /fine-tune/models/{model_id}' },

  { route: 'POST /data-connections', body: { connector_type: 's3', name: 'sales', object_storage: objectStorage } },
  { route: 'POST /data-connections/{connection_id}/test' },
  { route: 'POST /data-connections/{connection_id}/validate', body: {} },
  { route: 'GET /data-connections/{connection_id}/objects' },
  { route: 'PATCH /data-connections/{connection_id}', body: { name: 'sales of all shops' } },
  {
    route: 'POST /data-connections/{connection_id}/credentials',
    body: { credentials: objectStorage.credentials }
  },
  { route: 'POST /data-connections/{connection_id}/test' },
  { route: 'GET /data-connections', query: '?limit=1' },
  { route: 'GET /data-connections/{connection_id}' },
  { route: 'POST /data-connections/{connection_id}/forecast', body: { prediction_length: 12 }, ends: true },
  { route: 'GET /data-connections/audit', query: '?connection_id={connection_id}&limit=2' },
  { route: 'DELETE /data-connections/{connection_id}' },

  { route: 'GET /webhooks/secret' },
  { route: 'POST /webhooks/secret' },
  { route: 'POST /webhooks/endpoints', body: { url: 'https://example.com/tabcast' } },
  { route: 'GET /webhooks/endpoints' },
  { route: 'GET /webhooks/endpoints/{endpoint_id}' },
  { route: 'PATCH /webhooks/endpoints/{endpoint_id}', body: { enabled: true } },
  { route: 'GET /webhooks/endpoints/{endpoint_id}/secret' },
  { route: 'POST /webhooks/endpoints/{endpoint_id}/secret' },
  { route: 'POST /webhooks/endpoints/{endpoint_id}/test' },
  { route: 'GET /webhooks/endpoints/{endpoint_id}/deliveries', query: '?limit=1' },
  { route: 'POST /webhooks/endpoints/{endpoint_id}/deliveries/{webhook_id}/redeliver' },
  { route: 'DELETE /webhooks/endpoints/{endpoint_id}' },

  {
    route: 'POST /forecast/batch',
    body: { requests: [{ object_id: '{object_id}', custom_id: 'shops' }], defaults: { prediction_length: 6 } }
  },
  { route: 'GET /forecast/batch/{batch_id}' },
  { route: 'GET /forecast/batch/{batch_id}/download', isNotSent: true },
  { route: 'DELETE /forecast/batch/{batch_id}' },
  {
    route: 'POST /forecast/storage-object',
    body: { object_id: '{object_id}', prediction_length: 12, callback_url: 'https://example.com/tabcast' },
    ends: true
  },
  { route: 'GET /jobs/{job_id}/callback-attempts' },
  {
    route: 'POST /forecast',
    form: { prediction_length: 12, quantile_levels: '0.1,0.9' },
    file: 'sales.csv',
    ends: true
  },
  { route: 'GET /jobs', query: '?limit=1' },
  { route: 'GET /jobs/{job_id}' },
  { route: 'GET /jobs/{job_id}/events' },
  { route: 'GET /jobs/{job_id}/download', query: '?format=csv' },
  { route: 'GET /audit', query: '?limit=1' },
  { route: 'DELETE /jobs/{job_id}' },
  { route: 'DELETE /storage/objects/{object_id}' }
]
