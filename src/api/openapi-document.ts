import { pino } from 'pino'
import { loadConfig } from '../platform/config.ts'
import { buildApp } from './app.ts'
import type { Services } from './services.ts'

/**
 * The interface description with default settings and the sandbox. Clients are generated from it, and it contains every
 * route that a deployment may have. It opens nothing, because routes use services only when they are called.
 */
export async function openApiDocument (): Promise<object> {
  const services = new Proxy({ log: pino({ level: 'silent' }) } as unknown as Services, {
    get (target, name) {
      if (name === 'log') return target.log
      throw new Error(`the interface description is made without services, but a route asks for ${String(name)}`)
    }
  })
  const app = buildApp(loadConfig({ TABCAST_SANDBOX_ENABLED: 'true' }), services)
  try {
    await app.ready()
    return app.swagger()
  } finally {
    await app.close()
  }
}
