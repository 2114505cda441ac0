import t from 'tap'
import { openApi } from '../support/api.ts'
import { makeModel } from '../support/fine-tuning.ts'
import { form } from '../support/form.ts'
import { StorageCaller } from '../support/storage.ts'

const csv = 'item_id,timestamp,target\na,2024-01-01,1\na,2024-02-01,2\n'

interface Operation { operationId?: string, security?: unknown[], parameters?: Array<{ name: string, in: string }>, requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown> } }> } }

/** A body that is right but for the identifiers in it. */
const bodies: Record<string, (id: string) => object> = {
  completeUpload: () => ({}),
  createForecastFromObject: (id) => ({ object_id: id }),
  createFineTuneFromObject: (id) => ({ object_id: id }),
  createClassificationFromObject: (id) => ({ object_id: id }),
  createRegressionFromObject: (id) => ({ object_id: id }),
  createBatch: (id) => ({ requests: [{ object_id: id }] }),
  changeConnection: () => ({ name: 'mine now' }),
  rotateConnectionCredentials: () => ({ credentials: { access_key_id: 'AKIAEXAMPLE00000', secret_access_key: 'not-the-secret-of-anyone' } }),
  validateConnection: () => ({}),
  createForecastFromConnection: () => ({})
}

t.test('whatever one tenant has, another one is told of it what it is told of nothing: every route that takes an identifier', async (t) => {
  const stage = await openApi(t, { TABCAST_CONNECTOR_ALLOW_CIDRS: '127.0.0.0/8' })
  const owner = new StorageCaller(stage)
  const stranger = await StorageCaller.of(stage, 'beta')
  const own: Record<string, string> = await resources(stage, owner)
  const unknown = Object.fromEntries(Object.entries(own).map(([kind, id]) => [kind, `${id.slice(0, -4)}ZZZZ`]))
  const document = JSON.parse((await stage.app.inject({ url: '/openapi.json' })).body) as { paths: Record<string, Record<string, Operation>> }
  let routes = 0
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const ids = (known: Record<string, string>): { url: string, payload?: object } | undefined => {
        const inPath = /\{([a-z]+)_id\}/.exec(path)?.[1]
        const inQuery = operation.parameters?.find(({ name, in: place }) => place === 'query' && name in { connection_id: 1 })?.name.slice(0, -3)
        const inBody = /^create\w+FromObject$|^createBatch$/.test(operation.operationId ?? '') ? 'object' : undefined
        const kind = inPath ?? inQuery ?? inBody
        if (kind === undefined) return undefined
        const id = known[kind]
        if (id === undefined) throw new Error(`${method} ${path}: the test makes no ${kind}`)
        const body = bodies[operation.operationId ?? '']
        const url = path.replace(/\{[a-z]+_id\}/, id) + (inQuery === undefined ? '' : `?connection_id=${id}`)
        return body === undefined ? { url } : { url, payload: body(id) }
      }
      const foreign = ids(own)
      const nobodys = ids(unknown)
      if (foreign === undefined || nobodys === undefined || operation.security?.length === 0) continue
      routes++
      await t.test(`${method} ${path}`, async (t) => {
        const ask = async ({ url, payload }: { url: string, payload?: object }) => await stage.app.inject({
          method: method.toUpperCase() as 'GET', url, headers: { authorization: `Bearer ${stranger.key}` }, ...(payload === undefined ? {} : { payload })
        })
        const [first, second] = [await ask(foreign), await ask(nobodys)]
        t.equal(first.statusCode, 404, first.body)
        t.equal(second.statusCode, 404)
        t.strictSame(withoutId(first.body), withoutId(second.body))
        t.strictSame(Object.keys(first.headers).sort(), Object.keys(second.headers).sort())
      })
    }
  }
  t.ok(routes >= 20, `${routes} routes`)
  for (const [url, status] of [[`/jobs/${own['job']}`, 200], [`/storage/objects/${own['object']}`, 200], [`/data-connections/${own['connection']}`, 200], [`/forecast/batch/${own['batch']}`, 200], [`/fine-tune/models/${own['model']}`, 200]] as const) {
    t.equal((await owner.ask('GET', url)).status, status, 'the owner still has it')
  }
})

function withoutId (body: string): unknown {
  const { request_id: _requestId, ...rest } = JSON.parse(body) as Record<string, unknown>
  return rest
}

async function resources (stage: Awaited<ReturnType<typeof openApi>>, owner: StorageCaller): Promise<Record<string, string>> {
  const { headers, payload } = form([['file', csv, 'a.csv']])
  const job = await stage.app.inject({ method: 'POST', url: '/forecast', headers: { ...headers, authorization: `Bearer ${owner.key}` }, payload })
  await stage.finishNext({ 'forecast.csv': 'x', 'forecast.parquet': 'y' })
  const model = await makeModel(owner)
  const object = await owner.store(csv)
  const batch = await owner.json<{ batch_id: string }>('POST', '/forecast/batch', { requests: [{ object_id: object }] })
  const connection = await owner.ask('POST', '/data-connections', {
    connector_type: 's3',
    name: 'own',
    object_storage: {
      bucket: 'mine', region: 'us-east-1', endpoint_url: 'http://127.0.0.1:9', auth_method: 'access_key', file_format: 'csv', credentials: { access_key_id: 'AKIAEXAMPLE00000', secret_access_key: 'secret-of-the-owner' }
    }
  })
  return {
    job: (job.json() as { job_id: string }).job_id,
    object,
    model,
    batch: batch.batch_id,
    connection: (JSON.parse(connection.text) as { connection_id: string }).connection_id
  }
}
