import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { kinds, type Kind } from '../covariate-key.ts'
import { lagLookup } from '../default-lags.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import { ProviderError } from '../provider-error.ts'
import type { Provider } from '../provider.ts'
import { catalogRoot, currentLink } from './catalog-root.ts'
import { catalog } from './catalog.ts'

const MiB = 1024 * 1024

/**
 * Makes a provider for each folder `<directory>/<kind>/<provider>`, by kind and then by name; `cache` holds columns of
 * parts that were read. Rejects with a ProviderError if the directory cannot be listed.
 */
export async function catalogProviders (directory: string, cache: AnswerCache): Promise<Provider[]> {
  // The path goes through the link, so that later reads see a bundle that is imported later.
  const root = await catalogRoot(directory) === directory ? directory : join(directory, currentLink)
  const mounted = await foldersIn(root)
  const providers: Provider[] = []
  for (const kind of kinds.filter((one) => mounted.includes(one))) {
    for (const id of await foldersIn(join(root, kind))) providers.push(providerOf(root, kind, id, cache))
  }
  return providers
}

function providerOf (root: string, kind: Kind, id: string, cache: AnswerCache): Provider {
  return catalog({
    id,
    kind,
    folder: join(root, kind, id),
    maxBytes: 256 * MiB,
    maxTotalBytes: 1024 * MiB,
    attribution: `Mounted catalogue, ${id}; licence as its manifests say`,
    lagOf: lagLookup(kind),
    cache
  })
}

async function foldersIn (path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name).sort()
  } catch (cause) {
    throw new ProviderError('catalog', 'CATALOG_DAMAGED', { detail: 'its folder cannot be listed', cause })
  }
}
