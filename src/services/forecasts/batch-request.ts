import { Type, type Static, type TObject, type TSchema } from 'typebox'
import type { FieldError } from '../../domain/error-codes.ts'
import type { ForecastSpec } from '../../domain/forecast-spec.ts'
import { closedObject } from '../../platform/closed-object.ts'
import { TabcastError } from '../../platform/errors.ts'
import type { CovariateDesk } from '../../sources/covariates/covariate-desk.ts'
import { acceptForecast } from './accept-forecast.ts'
import { forecastOptions } from './forecast-request.ts'
import type { FindModel } from './use-model.ts'

export const maxBatchRequests = 100
/** The most errors that one answer lists. */
const maxErrors = 64
/** Time on the main thread before other requests get a turn. */
const portionMs = 5

/** Body of POST /forecast/storage-object. */
export function storedForecast (maxHorizon: number) {
  return {
    object_id: Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Id of a stored object whose upload is complete: CSV or Parquet.'
    }),
    ...forecastOptions(maxHorizon)
  }
}

export type StoredForecast = Static<TObject<ReturnType<typeof storedForecast>>>

/** One request of a batch. Absent fields come from the batch's defaults. */
export type PartialForecast = { [Field in keyof StoredForecast]?: StoredForecast[Field] | undefined }
export type BatchItem = PartialForecast & { custom_id?: string | null }

/** Body of POST /forecast/batch. Its fields have no defaults of their own, which would hide those of the batch. */
export function batchRequest (maxHorizon: number) {
  const fields = Object.fromEntries(
    Object.entries(storedForecast(maxHorizon)).map(([name, schema]) => [name, withoutDefault(schema)])
  )
  const customId = Type.Optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 128 }), Type.Null()], {
      description: 'Your name for this job, unique in the batch.'
    })
  )
  return {
    requests: Type.Array(Type.Unsafe<BatchItem>(closedObject({ ...fields, custom_id: customId })), {
      minItems: 1,
      maxItems: maxBatchRequests,
      description: 'Each request becomes one job.'
    }),
    defaults: Type.Optional(
      Type.Union([Type.Unsafe<PartialForecast>(closedObject(fields)), Type.Null()], {
        description: 'Values for fields that a request leaves out.'
      })
    ),
    callback_url: Type.Optional(
      Type.Union([Type.String({ maxLength: 2048 }), Type.Null()], {
        description: 'For jobs that name no callback_url.'
      })
    )
  }
}

function withoutDefault (schema: TSchema): TSchema {
  const { default: _default, ...rest } = schema as TSchema & { default?: unknown }
  return Type.Optional(Type.Unsafe(rest))
}

export interface ResolvedItem {
  customId: string | null
  options: StoredForecast
  spec: ForecastSpec
  callbackUrl: string | null
}

export interface BatchRules {
  tenant: string
  /**
   * Limit on the defaults times the number of requests, so that defaults cannot multiply a small body into a huge
   * batch.
   */
  maxBytes: number
  /** Ends a portion of work on the main thread; resolves when the next one may begin. */
  pause: () => Promise<void>
  /** Fills in defaults and checks the fields. */
  complete: (input: unknown) => { value: unknown } | { error: TabcastError }
  /** Throws validation_error for an address that callbacks may not use. */
  acceptUrl: (url: string | null | undefined) => string | null
  findModel: FindModel
  covariates: CovariateDesk
}

/**
 * Completes each request with the batch's defaults and checks it as if it had been sent alone. Throws validation_error
 * for wrong fields, up to the most that one answer lists, or the first error of another kind.
 */
export async function resolveBatch (requests: readonly BatchItem[], defaults: PartialForecast,
  { tenant, maxBytes, pause, complete, acceptUrl, findModel, covariates }: BatchRules): Promise<ResolvedItem[]> {
  checkDefaults(defaults, requests.length, maxBytes)
  const wrong: FieldError[] = duplicates(requests)
  const items: ResolvedItem[] = []
  let endMs = performance.now() + portionMs
  for (const [at, { custom_id: customId, ...request }] of requests.entries()) {
    if (performance.now() >= endMs) {
      await pause()
      endMs = performance.now() + portionMs
    }
    // The answer lists no more errors, so stop here.
    if (wrong.length >= maxErrors) break
    try {
      const completed = complete({ ...defaults, ...request })
      if ('error' in completed) throw completed.error
      const options = completed.value as StoredForecast
      items.push({
        customId: customId ?? null,
        options,
        spec: await acceptForecast(tenant, options, findModel, covariates),
        callbackUrl: acceptUrl(options.callback_url)
      })
    } catch (error) {
      if (!(error instanceof TabcastError) || error.fields === undefined) throw error
      wrong.push(...error.fields.map((field) => ({ ...field, loc: ['body', 'requests', at, ...field.loc.slice(1)] })))
    }
  }
  if (wrong.length > 0) throw new TabcastError('validation_error', undefined, { fields: wrong.slice(0, maxErrors) })
  return items
}

function checkDefaults (defaults: PartialForecast, count: number, maxBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(defaults))
  if (bytes * count <= maxBytes) return
  throw new TabcastError('validation_error',
    `The defaults have ${bytes} bytes and stand for ${count} requests: ${
      bytes * count
    } bytes, and a batch may have ${maxBytes}.`, {
    status: 413,
    suggestion: 'Send shorter defaults, or fewer requests in a batch.'
  })
}

function duplicates (requests: readonly BatchItem[]): FieldError[] {
  const seen = new Set<string>()
  const error = 'each custom_id may be used once in a batch'
  return requests.flatMap(({ custom_id: customId }, at) => {
    if (customId === undefined || customId === null) return []
    const isNew = !seen.has(customId)
    seen.add(customId)
    return isNew
      ? []
      : [{
        loc: ['body', 'requests', at, 'custom_id'],
        msg: error,
        type: 'value_error',
        input: customId,
        ctx: { error }
      }]
  })
}
