import { Type } from 'typebox'
import { TabcastError } from '../../platform/errors.ts'
import { sandboxCaps } from '../../services/jobs/tenant-bounds.ts'
import { sandboxTenant } from '../../services/keys/scopes.ts'
import { captchaOptions } from '../../services/sandbox/captcha/captcha-options.ts'
import { readPageScripts } from '../../services/sandbox/page/page-scripts.ts'
import { renderTryPage, tryPagePolicy } from '../../services/sandbox/page/render-try-page.ts'
import { sandboxOrigins } from '../../services/sandbox/sandbox-origins.ts'
import type { Api, RouteContext } from '../api.ts'
import { baseUrlOf } from '../base-url.ts'
import { identifier } from '../schemas/identifier.ts'

/** GET /try and its scripts, when there is a sandbox and a key to show. They are not part of the API. */
export async function tryPageRoutes (api: Api, { config, services }: RouteContext): Promise<void> {
  const { SANDBOX_ENABLED: isEnabled, SANDBOX_KEY: key } = config
  if (!isEnabled || key === '') return
  const captcha = captchaOptions(config)
  const siteKey = 'siteKey' in captcha ? captcha.siteKey : ''
  const policy = tryPagePolicy(captcha.driver, sandboxOrigins(config))
  const headersOf = (type: string) => ({ 'content-type': `${type}; charset=utf-8`, 'content-security-policy': policy })
  const scripts = readPageScripts()
  const keyWorks = () => services.keys.verify(key)?.tenant === sandboxTenant
  if (!keyWorks()) {
    services.log.warn('TABCAST_SANDBOX_KEY is not a key of the sandbox: /try shows that it is not set up')
  }
  const limits = {
    ...sandboxCaps,
    postsPerHour: config.SANDBOX_POSTS_PER_HOUR,
    retentionSeconds: config.SANDBOX_RETENTION_SECONDS
  }

  api.get('/try', {
    schema: { hide: true },
    config: { access: 'public', givesFiles: true }
  }, async (request, reply) => {
    // The key may have been revoked, and a key with more rights is never shown.
    const works = keyWorks()
    const baseUrl = baseUrlOf(request, config)
    const page = renderTryPage({ key: works ? key : null, baseUrl, driver: captcha.driver, siteKey, limits })
    return await reply.code(works ? 200 : 503).headers(headersOf('text/html')).send(page)
  })

  api.get('/try/:name', {
    schema: { hide: true, params: Type.Object({ name: identifier('main.js or solve-challenge.js.') }) },
    config: { access: 'public', givesFiles: true }
  }, async (request, reply) => {
    const script = scripts.get(request.params.name)
    if (script === undefined) throw new TabcastError('not_found')
    return await reply.headers(headersOf('text/javascript')).send(script)
  })
}
