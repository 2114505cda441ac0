import Fastify, { LogController, type FastifyInstance } from 'fastify'
import type { Config } from '../platform/config.ts'
import type { Api, RouteContext } from './api.ts'
import { buildSerializer } from './compile-serializer.ts'
import { makeFirstUses } from './first-uses.ts'
import { httpServer } from './http-server.ts'
import { guardAccess } from './plugins/access.ts'
import { limitBodyTime } from './plugins/body-time.ts'
import { boundConnections, type ConnectionBound } from './plugins/connection-bounds.ts'
import { shareSandbox } from './plugins/cross-origin.ts'
import { describeInterface } from './plugins/documentation.ts'
import { boundDownloads } from './plugins/downloads.ts'
import { handleErrors, parseJsonBodies, sendFrameworkError } from './plugins/error-handling.ts'
import { markEveryResponse } from './plugins/every-response.ts'
import { checkIdempotencyKeys } from './plugins/idempotency-keys.ts'
import { answerUnknownAddresses } from './plugins/not-found.ts'
import { fillLeftOutBodies } from './plugins/optional-bodies.ts'
import { answerClientErrors, answerOutsideRequests } from './plugins/outside-requests.ts'
import { shedLoad } from './plugins/pressure.ts'
import { boundUnreadAnswers } from './plugins/unread-answers.ts'
import { requestId } from './request-id.ts'
import { adminKeyRoutes } from './routes/admin-keys.ts'
import { agentRoutes, intentRoutes } from './routes/agent.ts'
import { artifactRoutes } from './routes/artifacts.ts'
import { auditRoutes } from './routes/audit.ts'
import { batchRoutes } from './routes/batches.ts'
import { connectionForecastRoutes } from './routes/connection-forecast.ts'
import { connectionRoutes } from './routes/connections.ts'
import { downloadRoutes } from './routes/download.ts'
import { estimateRoutes } from './routes/estimates.ts'
import { fineTunedModelRoutes } from './routes/fine-tuned-models.ts'
import { fineTuneRoutes, storedFineTuneRoutes } from './routes/fine-tuning.ts'
import { forecastRoutes } from './routes/forecast.ts'
import { jobEventRoutes } from './routes/job-events.ts'
import { jobRoutes } from './routes/jobs.ts'
import { keyRoutes } from './routes/keys.ts'
import { objectRoutes } from './routes/objects.ts'
import { sandboxJobRoutes, sandboxRoutes } from './routes/sandbox.ts'
import { storageRoutes } from './routes/storage.ts'
import { storedForecastRoutes } from './routes/stored-forecast.ts'
import { systemRoutes } from './routes/system.ts'
import { storedTabularRoutes, tabularRoutes } from './routes/tabular.ts'
import { tryPageRoutes } from './routes/try-page.ts'
import { webhookEndpointRoutes } from './routes/webhook-endpoints.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { maxPathPart } from './schemas/identifier.ts'
import type { Services } from './services.ts'
import { validatorCompiler } from './validation/compile-validator.ts'

/** Counts requests with its own hooks. */
interface RequestObserver {
  watch(app: FastifyInstance): void
  connectionRefused(bound: ConnectionBound): void
}

/** The routes, in the order of the interface description. */
const resources = [
  forecastRoutes,
  storedForecastRoutes,
  batchRoutes,
  jobRoutes,
  jobEventRoutes,
  downloadRoutes,
  artifactRoutes,
  storageRoutes,
  objectRoutes,
  connectionRoutes,
  connectionForecastRoutes,
  tabularRoutes,
  storedTabularRoutes,
  fineTuneRoutes,
  storedFineTuneRoutes,
  fineTunedModelRoutes,
  estimateRoutes,
  agentRoutes,
  intentRoutes,
  webhookRoutes,
  webhookEndpointRoutes,
  sandboxRoutes,
  sandboxJobRoutes,
  tryPageRoutes,
  keyRoutes,
  auditRoutes,
  adminKeyRoutes,
  systemRoutes
]

/** The HTTP interface over the given services. It does not listen, and closing it leaves the services open. */
export function buildApp (config: Config, services: Services, requests?: RequestObserver): FastifyInstance {
  const app = newServer(config, services)
  const context: RouteContext = { config, services }
  app.setValidatorCompiler(validatorCompiler)
  boundConnections(app, config, (bound) => requests?.connectionRefused(bound))
  handleErrors(app)
  answerOutsideRequests(app)
  parseJsonBodies(app)
  requests?.watch(app)
  markEveryResponse(app)
  shedLoad(app)
  limitBodyTime(app)
  answerUnknownAddresses(app)
  checkIdempotencyKeys(app)
  fillLeftOutBodies(app)
  guardAccess(app, config, services)
  shareSandbox(app, config)
  boundDownloads(app, config, services)
  boundUnreadAnswers(app, config)
  describeInterface(app, config)
  app.addHook('onReady', async () => {
    await makeFirstUses()
  })
  for (const routes of resources) {
    app.register(async (scope) => await routes(scope as unknown as Api, context))
  }
  return app
}

function newServer (config: Config, { log }: Services): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    // Logging each read would cost more than the read. Errors are logged where they are answered.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    schemaController: { compilersFactory: { buildSerializer } },
    genReqId: requestId,
    requestIdHeader: false,
    trustProxy: config.TRUST_PROXY,
    bodyLimit: config.MAX_JSON_BYTES,
    // markEveryResponse refuses requests while closing, because the body has to be the error envelope.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxPathPart },
    serverFactory: (answer) =>
      httpServer(answer, ({ method, url = '' }) =>
        log.error({ method, path: url.split('?', 1)[0] }, 'a request was not answered, and its connection has ended')),
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: answerClientErrors(log)
  })
}
