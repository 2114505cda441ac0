import { isDeepStrictEqual } from 'node:util'
import type { InjectOptions } from 'fastify'
import type { ApiStage } from './api.ts'
import type { Answer } from './expect-error.ts'

export type Json = Record<string, unknown>

export interface Upload {
  object_id: string
  upload_url: string
  expires_at: string
  method: 'PUT'
  required_headers: Record<string, string>
}

/** A tenant that stores files through the interface. */
export class StorageCaller {
  readonly stage: ApiStage
  readonly key: string

  constructor (stage: ApiStage, key = stage.key) {
    this.stage = stage
    this.key = key
  }

  static async of (stage: ApiStage, tenant: string): Promise<StorageCaller> {
    return new StorageCaller(stage, (await stage.keys.create({ tenant })).key)
  }

  async ask (method: 'GET' | 'POST' | 'DELETE' | 'HEAD', url: string, payload?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.key}` }
    return await inject(this.stage, { method, url, headers, ...(payload === undefined ? {} : { payload }) })
  }

  async json<T = Json> (method: 'GET' | 'POST', url: string, payload?: object): Promise<T> {
    const { status, text } = await this.ask(method, url, payload)
    if (status !== 200 && status !== 202) throw new Error(`${method} ${url} answered ${status}: ${text}`)
    return JSON.parse(text) as T
  }

  async presign (body: Json = {}): Promise<Upload> {
    return await this.json<Upload>('POST', '/storage/uploads/presign', {
      filename: 'sales.csv',
      content_type: 'text/csv',
      ...body
    })
  }

  async complete (objectId: string, body: Json = {}): Promise<Answer> {
    return await this.ask('POST', `/storage/uploads/${objectId}/complete`, body)
  }

  /** Presigned, sent and completed. */
  async store (content: string | Buffer, body: Json = {}): Promise<string> {
    const upload = await this.presign(body)
    const { status, text } = await send(this.stage, upload, content)
    if (status !== 200) throw new Error(`the upload answered ${status}: ${text}`)
    await this.json('POST', `/storage/uploads/${upload.object_id}/complete`, {})
    return upload.object_id
  }
}

/** As any HTTP client would follow a presigned upload; `headers` replaces some, undefined leaves one out. */
export async function send (stage: ApiStage, upload: Pick<Upload, 'upload_url' | 'required_headers'>,
  content: string | Buffer, headers: Record<string, string | undefined> = {}): Promise<Answer> {
  const { pathname, search } = new URL(upload.upload_url)
  const given = Object.entries({ ...upload.required_headers, ...headers }).filter((entry): entry is [string, string] =>
    entry[1] !== undefined
  )
  return await inject(stage, {
    method: 'PUT',
    url: pathname + search,
    headers: Object.fromEntries(given),
    payload: content
  })
}

export async function fetchSigned (stage: ApiStage, address: string,
  headers: Record<string, string> = {}): Promise<Answer> {
  const { pathname, search } = new URL(address)
  return await inject(stage, { url: pathname + search, headers })
}

async function inject (stage: ApiStage, options: InjectOptions): Promise<Answer> {
  const { statusCode, headers, payload } = await stage.app.inject(options)
  return {
    status: statusCode,
    headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    text: payload
  }
}

/** All that may not differ between what an unknown and what a foreign id gets. */
export function isSameAnswer (one: Answer, other: Answer): boolean {
  return isDeepStrictEqual(comparable(one), comparable(other))
}

function comparable ({ status, headers, text }: Answer): unknown {
  const shown = [...headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name))
  return { status, headers: shown, text: text.replaceAll(headers.get('x-request-id') ?? '', '') }
}
