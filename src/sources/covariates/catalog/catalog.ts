import { join } from 'node:path'
import type { Kind } from '../covariate-key.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import { observationsOf, type ObservationColumns } from '../observations.ts'
import type { CovariateAnswer, CovariateRequest, MissingVariable, ProvidedObservations, Provider } from '../provider.ts'
import type { PublicationLag } from '../publication-lag.ts'
import { keysOf, nearestText } from './catalog-keys.ts'
import { folderList } from './folder-list.ts'
import { manifestOf, partOf, type KeyFolder } from './key-folder.ts'
import type { PartColumns } from './part-columns.ts'
import { defined } from '../../../platform/defined.ts'

export interface CatalogOptions {
  id: string
  kind: Kind
  /** The folder of the kind and provider, `<catalogue>/<kind>/<provider>`, with one folder per key. */
  folder: string
  /** The limit of one file. */
  maxBytes: number
  /** The limit of all files that one fetch reads. */
  maxTotalBytes: number
  attribution: string
  lagOf: (variable: string) => PublicationLag | null
  /** Caches columns that were read; several catalogues may share it. */
  cache: AnswerCache
}

/**
 * A provider from a folder that the operator mounts. Names in a request are only compared with the names in the folder,
 * and never become a path.
 */
export function catalog (
  { id, kind, folder, maxBytes, maxTotalBytes, attribution, lagOf, cache }: CatalogOptions
): Provider {
  const listed = folderList(id, folder)
  return {
    id,
    kind,
    transport: 'catalog',
    attribution,
    lagOf,
    fetch,
    async covers (key, variables) {
      return keysOf(kind, key, variables, await listed()).length > 0
    },
    async nearest (key) {
      return nearestText(kind, key, await listed())
    }
  }

  async function fetch (request: CovariateRequest): Promise<CovariateAnswer> {
    const observations: ProvidedObservations[] = []
    const declaredNames = new Set<string>()
    let left = maxTotalBytes
    const { root, ...found } = await listed()
    for (const key of keysOf(kind, request.key, request.variables, found)) {
      request.signal.throwIfAborted()
      observations.push(...await readKey({ path: join(root, key), kind, provider: id, key }, request))
    }
    const had = new Set(observations.map(({ variable }) => variable))
    const missing: MissingVariable[] = request.variables.filter((variable) => !had.has(variable)).map((variable) => ({
      variable,
      reason: declaredNames.has(variable) ? `${id} has nothing for it in this range` : `${id} does not have it there`
    }))
    return { observations, missing }

    async function readKey (folder: KeyFolder, request: CovariateRequest): Promise<ProvidedObservations[]> {
      const manifest = await manifestOf(folder)
      const declared = manifest.variables.filter(({ name }) => request.variables.includes(name))
      const variables = declared.map(({ name }) => name)
      for (const name of variables) declaredNames.add(name)
      const parts: PartColumns[] = []
      for (const part of variables.length === 0 ? [] : manifest.parts) {
        const { columns, bytes } = await partOf(folder, {
          part,
          manifest,
          variables,
          maxBytes: Math.min(maxBytes, left),
          cache
        })
        left -= bytes
        parts.push(columns)
      }
      return declared.map(({ name, lag }) => ({
        ...observationsOf(name, manifest.freq, joined(parts, name), request),
        ...defined({ lag })
      })).filter(({ values }) => values.length > 0)
    }
  }
}

function joined (parts: readonly PartColumns[], variable: string): ObservationColumns {
  const [first, ...others] = parts
  if (first !== undefined && others.length === 0) return { ...first, values: first.values.get(variable) ?? [] }
  const times = (of: (part: PartColumns) => Float64Array | undefined) =>
    concat(parts.map((part) => of(part) ?? new Float64Array(part.validTimeMs.length).fill(NaN)))
  return {
    validTimeMs: times((part) => part.validTimeMs),
    values: concat(parts.map((part) => part.values.get(variable) ?? new Float64Array())),
    issuedAtMs: times((part) => part.issuedAtMs),
    publishedAtMs: times((part) => part.publishedAtMs)
  }
}

function concat (columns: readonly Float64Array[]): Float64Array {
  const whole = new Float64Array(columns.reduce((rows, { length }) => rows + length, 0))
  let at = 0
  for (const column of columns) {
    whole.set(column, at)
    at += column.length
  }
  return whole
}
