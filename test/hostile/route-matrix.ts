import type { AuditedAction } from '../../src/services/audit/audit-log.ts'
import type { Scope } from '../../src/services/keys/scopes.ts'
import { form } from '../support/form.ts'

/** What a tenant has, by kind. */
export type Ids = Record<'job' | 'object' | 'batch' | 'connection' | 'model' | 'key' | 'endpoint' | 'message', string>
export interface Request {
  url: string
  payload?: object | string | Buffer
  headers?: Record<string, string>
}

interface Guarded {
  /** null: any key does; of several the key needs all. */
  scope: Scope | readonly Scope[] | null
  /** What a call is in the audit log; every route that is no GET has it, or changes nothing. */
  audit?: AuditedAction | 'changes nothing'
}

/**
 * One route. `names`: requests that are right but for the things of another tenant in them, `mine` being the caller's
 * own; each is answered as if they did not exist, with `refusal` (404 when left out). `shows`: a request that shows
 * what the caller has.
 */
export type Row =
  | 'public'
  | Guarded & { names: Array<(other: Ids, mine: Ids) => Request>, refusal?: number }
  | Guarded & { shows: string }
  /** Nothing of another tenant can be named in it, and nothing is shown. */
  | Guarded & { takesOwn: true }
  /** It is every tenant's. */
  | Guarded & { scope: 'admin', deployment: true }

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\na,2024-03-01,3\n'

const at = (url: (other: Ids) => string,
  payload?: object) => [(other: Ids): Request => ({ url: url(other), ...(payload === undefined ? {} : { payload }) })]
const sent = (url: string, fields: (other: Ids) => Array<[string, string]>) => (other: Ids): Request => ({
  url,
  ...form([...fields(other), ['file', csv, 'a.csv']])
})
const object = (url: string, more: object = {}) => (other: Ids): Request => ({
  url,
  payload: { object_id: other.object, ...more }
})
const job = (path: string) => at(({ job }) => `/jobs/${job}${path}`)
const batch = (path: string) => at(({ batch }) => `/forecast/batch/${batch}${path}`)
const stored = (path: string, payload?: object) => at(({ object }) => `/storage/objects/${object}${path}`, payload)
const connection = (path: string, payload?: object) =>
  at(({ connection }) => `/data-connections/${connection}${path}`, payload)
const model = at(({ model }) => `/fine-tune/models/${model}`)
const endpoint = (path: string, payload?: object) =>
  at(({ endpoint }) => `/webhooks/endpoints/${endpoint}${path}`, payload)
const key = (path: string, payload?: object) => at(({ key }) => `/keys/${key}${path}`, payload)
const estimated = ['/estimate/runtime', '/estimate/cost'] as const

/** Every route of the app: one without a row fails the test. */
export const matrix: Record<string, Row> = {
  'POST /forecast': {
    scope: 'forecast',
    audit: 'job.create',
    names: [sent('/forecast', ({ model }) => [['presets', `ft:${model}`]])],
    refusal: 400
  },
  'POST /forecast/storage-object': {
    scope: 'forecast',
    audit: 'job.create',
    names: [object('/forecast/storage-object')]
  },
  'POST /forecast/batch': {
    scope: 'forecast',
    audit: 'batch.create',
    names: [
      ({ object }, mine) => ({
        url: '/forecast/batch',
        payload: { requests: [{ object_id: mine.object, prediction_length: 1 }, { object_id: object }] }
      })
    ]
  },
  'GET /forecast/batch/:batch_id': { scope: 'jobs:read', names: batch('') },
  'DELETE /forecast/batch/:batch_id': { scope: 'jobs:delete', audit: 'batch.delete', names: batch('') },
  'GET /forecast/batch/:batch_id/download': { scope: 'jobs:read', names: batch('/download') },
  'GET /jobs': { scope: 'jobs:read', shows: '/jobs' },
  'GET /jobs/:job_id': { scope: 'jobs:read', names: [...job(''), ...job('?wait=5')] },
  'DELETE /jobs/:job_id': { scope: 'jobs:delete', audit: 'job.delete', names: job('') },
  'GET /jobs/:job_id/events': { scope: 'jobs:read', names: job('/events') },
  'GET /jobs/:job_id/download': {
    scope: 'jobs:read',
    names: ['', '?format=csv', '?format=parquet', '?format=zip', '?format=presign'].flatMap((format) =>
      job(`/download${format}`)
    )
  },
  'GET /jobs/:job_id/artifacts/:name': { scope: 'jobs:read', names: job('/artifacts/report.html') },
  'GET /jobs/:job_id/callback-attempts': { scope: 'jobs:read', names: job('/callback-attempts') },
  'POST /storage/uploads/presign': { scope: 'storage', audit: 'object.presign', takesOwn: true },
  'POST /storage/uploads/:object_id/complete': {
    scope: 'storage',
    audit: 'object.complete',
    names: at(({ object }) => `/storage/uploads/${object}/complete`, {})
  },
  'GET /storage/objects': { scope: 'storage', shows: '/storage/objects' },
  'GET /storage/objects/:object_id': { scope: 'storage', names: stored('') },
  'DELETE /storage/objects/:object_id': { scope: 'storage', audit: 'object.delete', names: stored('') },
  'GET /storage/objects/:object_id/download-url': { scope: 'storage', names: stored('/download-url') },
  'GET /storage/objects/:object_id/preview': { scope: 'storage', names: stored('/preview') },
  // The signature of an address is the credential.
  'GET /objects/*': 'public',
  'PUT /objects/*': 'public',
  'POST /data-connections': { scope: 'connections', audit: 'connection.create', takesOwn: true },
  'GET /data-connections': { scope: 'connections', shows: '/data-connections' },
  'GET /data-connections/audit': {
    scope: 'connections',
    names: at(({ connection }) => `/data-connections/audit?connection_id=${connection}`)
  },
  'GET /data-connections/:connection_id': { scope: 'connections', names: connection('') },
  'PATCH /data-connections/:connection_id': {
    scope: 'connections',
    audit: 'connection.update',
    names: connection('', { name: 'mine now' })
  },
  'DELETE /data-connections/:connection_id': {
    scope: 'connections',
    audit: 'connection.delete',
    names: connection('')
  },
  'POST /data-connections/:connection_id/credentials': {
    scope: 'connections',
    audit: 'connection.rotate',
    names: connection('/credentials', {
      credentials: { access_key_id: 'AKIAEXAMPLE00000', secret_access_key: 'not-the-secret-of-anyone' }
    })
  },
  'POST /data-connections/:connection_id/test': {
    scope: 'connections',
    audit: 'connection.test',
    names: connection('/test')
  },
  'POST /data-connections/:connection_id/validate': {
    scope: 'connections',
    audit: 'connection.validate',
    names: connection('/validate', {})
  },
  'GET /data-connections/:connection_id/objects': { scope: 'connections', names: connection('/objects') },
  'POST /data-connections/:connection_id/forecast': {
    scope: ['forecast', 'connections'],
    audit: 'job.create',
    names: [
      ...connection('/forecast', { prediction_length: 1 }),
      ({ connection }, mine) => ({
        url: `/data-connections/${mine.connection}/forecast`,
        payload: { prediction_length: 1, output: { connection_id: connection } }
      })
    ]
  },
  'POST /v2/classify': { scope: 'tabular', audit: 'job.create', takesOwn: true },
  'POST /v2/regress': { scope: 'tabular', audit: 'job.create', takesOwn: true },
  'POST /v2/classify/storage-object': {
    scope: 'tabular',
    audit: 'job.create',
    names: [object('/v2/classify/storage-object')]
  },
  'POST /v2/regress/storage-object': {
    scope: 'tabular',
    audit: 'job.create',
    names: [object('/v2/regress/storage-object')]
  },
  'POST /fine-tune': { scope: 'models', audit: 'job.create', takesOwn: true },
  'POST /fine-tune/storage-object': {
    scope: 'models',
    audit: 'job.create',
    names: [object('/fine-tune/storage-object')]
  },
  'GET /fine-tune/models': { scope: 'models', shows: '/fine-tune/models' },
  'GET /fine-tune/models/:model_id': { scope: 'models', names: model },
  'DELETE /fine-tune/models/:model_id': { scope: 'models', audit: 'model.delete', names: model },
  ...Object.fromEntries(
    estimated.map((
      url
    ): [string, Row] => [`POST ${url}`, { scope: 'forecast', audit: 'changes nothing', names: [object(url)] }])
  ),
  'POST /agent/extract': { scope: 'agent', audit: 'changes nothing', takesOwn: true },
  'POST /agent/analyze': { scope: 'agent', audit: 'changes nothing', takesOwn: true },
  'POST /agent/forecast': { scope: ['agent', 'forecast'], audit: 'job.create', takesOwn: true },
  'POST /agent/validate': { scope: 'agent', audit: 'changes nothing', takesOwn: true },
  'GET /webhooks/secret': { scope: 'webhooks', shows: '/webhooks/secret' },
  'POST /webhooks/secret': { scope: 'webhooks', audit: 'webhook_secret.rotate', takesOwn: true },
  'POST /webhooks/endpoints': { scope: 'webhooks', audit: 'webhook_endpoint.create', takesOwn: true },
  'GET /webhooks/endpoints': { scope: 'webhooks', shows: '/webhooks/endpoints' },
  'GET /webhooks/endpoints/:endpoint_id': { scope: 'webhooks', names: endpoint('') },
  'PATCH /webhooks/endpoints/:endpoint_id': {
    scope: 'webhooks',
    audit: 'webhook_endpoint.update',
    names: endpoint('', { enabled: false })
  },
  'DELETE /webhooks/endpoints/:endpoint_id': {
    scope: 'webhooks',
    audit: 'webhook_endpoint.delete',
    names: endpoint('')
  },
  'GET /webhooks/endpoints/:endpoint_id/secret': { scope: 'webhooks', names: endpoint('/secret') },
  'POST /webhooks/endpoints/:endpoint_id/secret': {
    scope: 'webhooks',
    audit: 'webhook_endpoint.rotate_secret',
    names: endpoint('/secret')
  },
  'POST /webhooks/endpoints/:endpoint_id/test': {
    scope: 'webhooks',
    audit: 'webhook_endpoint.test',
    names: endpoint('/test')
  },
  'GET /webhooks/endpoints/:endpoint_id/deliveries': { scope: 'webhooks', names: endpoint('/deliveries') },
  'POST /webhooks/endpoints/:endpoint_id/deliveries/:webhook_id/redeliver': {
    scope: 'webhooks',
    audit: 'webhook_delivery.redeliver',
    names: [
      ...at(({ endpoint, message }) => `/webhooks/endpoints/${endpoint}/deliveries/${message}/redeliver`),
      ({ message }, mine) => ({ url: `/webhooks/endpoints/${mine.endpoint}/deliveries/${message}/redeliver` })
    ]
  },
  'POST /keys': { scope: 'keys:write', audit: 'key.create', takesOwn: true },
  'GET /keys': { scope: 'keys:write', shows: '/keys' },
  'GET /keys/:id': { scope: 'keys:write', names: key('') },
  'DELETE /keys/:id': { scope: 'keys:write', audit: 'key.revoke', names: key('') },
  'POST /keys/:id/rotate': { scope: 'keys:write', audit: 'key.rotate', names: key('/rotate', {}) },
  'POST /admin/keys': { scope: 'admin', audit: 'key.create', deployment: true },
  'GET /admin/keys': { scope: 'admin', deployment: true },
  'GET /admin/keys/:id': { scope: 'admin', deployment: true },
  'DELETE /admin/keys/:id': { scope: 'admin', audit: 'key.revoke', deployment: true },
  'POST /admin/keys/:id/rotate': { scope: 'admin', audit: 'key.rotate', deployment: true },
  'GET /audit': { scope: 'audit:read', shows: '/audit' },
  'GET /models': { scope: null, shows: '/models' },
  'GET /limits': { scope: null, shows: '/limits' },
  'GET /health': 'public',
  'GET /': 'public',
  'GET /livez': 'public',
  'GET /openapi.json': 'public'
}

/**
 * Fields of bodies and queries, beside the ids in paths, that name a thing of a tenant; one that appears anew needs a
 * row that names it.
 */
export const namingFields: Record<string, readonly string[]> = {
  object_id: ['POST /forecast/storage-object', 'POST /forecast/batch', 'POST /v2/classify/storage-object',
    'POST /v2/regress/storage-object', 'POST /fine-tune/storage-object', 'POST /estimate/runtime',
    'POST /estimate/cost'],
  connection_id: ['GET /data-connections/audit', 'POST /data-connections/:connection_id/forecast']
}
