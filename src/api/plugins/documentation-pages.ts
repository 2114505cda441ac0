import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { join } from 'node:path'
import { TabcastError } from '../../platform/errors.ts'
import { programRoot } from '../../platform/process/program-files.ts'
import { readDocumentationFiles, sendDocumentationFile } from '../documentation-files.ts'
import { policyOfPages } from '../documentation-policy.ts'

/** Below it every name has a hash of its content. */
const assets = 'assets/'

/**
 * The pages of `docs` at /docs, as the build made them; the address of the service itself leads a browser there.
 * Start-up fails without them.
 */
export async function documentationPages (app: FastifyInstance): Promise<void> {
  const files = await readDocumentationFiles(join(programRoot, 'dist', 'docs'))
  const pages = [...files].filter(([name]) => name.endsWith('.html'))
  const policy = policyOfPages(pages.map(([, { plain }]) => plain.bytes.toString()))
  // The page `guides/tables.html` is at /docs/guides/tables.
  for (const [name, page] of pages) {
    files.delete(name)
    files.set(name === 'index.html' ? '' : name.slice(0, -'.html'.length), page)
  }
  const send = async (name: string, request: FastifyRequest, reply: FastifyReply) => {
    const file = files.get(name)
    if (file === undefined) throw new TabcastError('not_found')
    reply.headers({
      'content-security-policy': policy,
      // A page names the assets of its build, so it is asked for again after an upgrade.
      'cache-control': name.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache'
    })
    return await sendDocumentationFile(request, reply, file)
  }
  const schema = { hide: true }
  const config = { access: 'public', givesFiles: true } as const
  app.get('/docs', { schema, config }, async (request, reply) => await send('', request, reply))
  app.get<{ Params: { '*': string } }>('/docs/*', { schema, config },
    async (request, reply) => await send(request.params['*'], request, reply))
  // An address that is easy to remember. Relative, because a proxy may have the service below a path.
  app.get('/docs/api', { schema, config }, async (_request, reply) => await reply.redirect('reference/api', 302))
  app.get('/', { schema, config }, async (request, reply) => {
    // Programs that come to a wrong address get the error that they can read.
    if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) throw new TabcastError('not_found')
    return await reply.header('vary', 'accept').redirect('docs', 302)
  })
}
