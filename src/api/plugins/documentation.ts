import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config.ts'
import { release } from '../../platform/process/release.ts'
import { describeBodies } from '../describe-bodies.ts'
import { describeErrors } from '../describe-errors.ts'
import { describeExamples } from '../describe-examples.ts'
import { describeLinks } from '../describe-links.ts'
import { packedDocument, sendDocumentationFile, type DocumentationFile } from '../documentation-files.ts'
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

/** The interface description at /openapi.json, and the pages of docs. Call it before the routes are added. */
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
  app.register(documentationPages)
  app.register(async (scope) => {
    let file: DocumentationFile | undefined
    const document = () => (file ??= packedDocument(JSON.stringify(app.swagger())))
    // Not during the first request for it: that takes up to .2 s.
    scope.addHook('onListen', async () => {
      document()
    })
    scope.get('/openapi.json', { schema: { hide: true }, config: { access: 'public' } }, async (request, reply) => {
      return await sendDocumentationFile(request, reply.header('cache-control', 'no-cache'), document())
    })
  })
}
