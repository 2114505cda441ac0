import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Config } from '../../platform/config.ts'
import { TabcastError } from '../../platform/errors.ts'
import { release } from '../../platform/process/release.ts'
import { describeBodies } from '../describe-bodies.ts'
import { describeErrors } from '../describe-errors.ts'
import { describeExamples } from '../describe-examples.ts'
import { describeLinks } from '../describe-links.ts'
import { readDocumentationFiles, sendDocumentationFile, type DocumentationFile } from '../documentation-files.ts'
import { documentationPolicy } from '../documentation-policy.ts'
import { describeHeaders } from '../response-headers.ts'
import { adminKeyListSchema, adminKeySchema, issuedKeySchema } from '../schemas/admin-key.ts'
import { datasetProfileSchema, forecastIntentSchema } from '../schemas/agent.ts'
import { auditPageSchema } from '../schemas/audit.ts'
import { batchSchema } from '../schemas/batch.ts'
import { connectionSchemas } from '../schemas/connection.ts'
import { errorCodeSchema, errorSchema } from '../schemas/error.ts'
import { fineTunedModelListSchema, fineTunedModelSchema } from '../schemas/fine-tuned-model.ts'
import { jobListSchema, jobSchema } from '../schemas/job.ts'
import { objectListSchema, objectPreviewSchema, presignedDownloadSchema, presignedUploadSchema,
  storedObjectSchema } from '../schemas/object.ts'
import { healthSchema, limitsSchema } from '../schemas/system.ts'
import { tabularJobSchema } from '../schemas/tabular-job.ts'
import { webhookEndpointSchemas } from '../schemas/webhook-endpoint.ts'
import { announcements } from '../schemas/webhook.ts'
import { tryableDescription } from '../tryable-description.ts'
import { documentationPages } from './documentation-pages.ts'

/** Version of the interface, not of the program. */
const interfaceVersion = '0.1.0'

const info = {
  title: 'tabcast',
  version: interfaceVersion,
  description:
    'Forecasts time series, and predicts columns of tables. Jobs run asynchronously. Every answer that is not 2xx ' +
    'has the Error body and an X-Request-ID.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  'x-release': release
}

const sharedSchemas = [
  errorCodeSchema,
  errorSchema,
  jobSchema,
  tabularJobSchema,
  jobListSchema,
  batchSchema,
  forecastIntentSchema,
  datasetProfileSchema,
  healthSchema,
  limitsSchema,
  storedObjectSchema,
  objectListSchema,
  presignedUploadSchema,
  presignedDownloadSchema,
  objectPreviewSchema,
  fineTunedModelSchema,
  fineTunedModelListSchema,
  adminKeySchema,
  issuedKeySchema,
  adminKeyListSchema,
  auditPageSchema,
  ...webhookEndpointSchemas,
  ...connectionSchemas
]

/** The sections, in the order of the page. */
function tags (hasSandbox: boolean) {
  return [
    { name: 'forecast', description: 'Create forecast jobs.' },
    { name: 'tabular', description: 'Predict a column of a table: its classes, or its numbers.' },
    { name: 'fine-tuning', description: 'Train models on your own data, and forecast with them.' },
    { name: 'jobs', description: 'Follow, download and delete jobs.' },
    { name: 'connections', description: 'Read from your own stores, and write back to them.' },
    {
      name: 'webhooks',
      description:
        'Callbacks to your addresses when jobs end: endpoints, deliveries, and the secrets of the signatures.'
    },
    { name: 'storage', description: 'Store files, and forecast from them.' },
    { name: 'keys', description: 'Keys of your tenant.' },
    ...hasSandbox ? [{ name: 'sandbox', description: 'Try the service with a public key.' }] : [],
    { name: 'audit', description: 'Changes of your tenant, and who made them.' },
    { name: 'administration', description: 'Keys of all tenants, for the operator of the service.' },
    { name: 'system', description: 'Health, presets and limits.' }
  ]
}

/** The interface description at /openapi.json and as a page at /docs/api. Call it before the routes are added. */
export function describeInterface (app: FastifyInstance,
  { SANDBOX_ENABLED: hasSandbox }: Pick<Config, 'SANDBOX_ENABLED'>): void {
  for (const schema of sharedSchemas) app.addSchema(schema)
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info,
      servers: [{ url: '/' }],
      webhooks: announcements,
      tags: tags(hasSandbox),
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' } } },
      security: [{ bearer: [] }]
    },
    transformObject: (given) =>
      describeExamples(
        describeLinks(
          describeHeaders(
            describeErrors(describeBodies('openapiObject' in given ? given.openapiObject : given.swaggerObject))
          )
        )
      ),
    // Components keep the names that the schemas have here.
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        typeof json['$id'] === 'string' ? json['$id'] : `schema-${index}`
    }
  })
  const text = onceAsBytes(() => app.swagger())
  answerFromMemory(app, onceAsBytes(() => tryableDescription(app.swagger())))
  app.register(swaggerUi, {
    routePrefix: '/docs/api',
    staticCSP: documentationPolicy(),
    // Not the bar that loads descriptions of others, nor the badge for which validator.swagger.io would read this one.
    uiConfig: { layout: 'BaseLayout', validatorUrl: null },
    logLevel: 'warn'
  })
  app.register(documentationPages)
  app.register(async (scope) => {
    scope.get('/openapi.json', { schema: { hide: true }, config: { access: 'public' } }, async (_request, reply) => {
      return await reply.header('content-type', 'application/json; charset=utf-8').send(text())
    })
  })
}

/** As bytes, because a string would be copied for each connection that does not read. */
function onceAsBytes (describe: () => object): () => Buffer {
  let document: Buffer | undefined
  return () => {
    document ??= Buffer.from(JSON.stringify(describe()))
    return document
  }
}

/** The page's own routes would serialize the whole description, and open a file, for each request. */
function answerFromMemory (app: FastifyInstance, text: () => Buffer): void {
  let files: ReadonlyMap<string, DocumentationFile> = new Map()
  app.addHook('onReady', async () => {
    const page = createRequire(import.meta.url).resolve('@fastify/swagger-ui')
    files = await readDocumentationFiles(join(dirname(page), 'static'))
  })
  app.addHook('onRoute', (route) => {
    if (route.url === '/docs/api/json') {
      route.handler = async (_request, reply) => await reply.type('application/json; charset=utf-8').send(text())
    }
    // JSON is valid YAML.
    if (route.url === '/docs/api/yaml') {
      route.handler = async (_request, reply) => await reply.type('application/yaml; charset=utf-8').send(text())
    }
    if (route.url === '/docs/api/static/*') {
      route.handler = async (request, reply) => {
        const file = files.get((request.params as { '*': string })['*'])
        if (file === undefined) throw new TabcastError('not_found')
        return await sendDocumentationFile(request, reply.header('cache-control', 'public, max-age=3600'), file)
      }
    }
  })
}
