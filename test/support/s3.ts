import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { Client } from 'minio'
import type { Test } from 'tap'
import { findFreePort } from '../../src/commands/demo/private-service.ts'
import type { S3StoreOptions } from '../../src/platform/store/s3-store.ts'
import { until } from './until.ts'

export type S3Kind = 'minio' | 'versitygw'

export interface TestS3 {
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  readonly pid: number
  /** The root user's client. */
  client: Client
  createBucket(name: string): Promise<void>
  /** What a service needs to keep its objects in this bucket. */
  settings(bucket: string, changes?: Record<string, string>): Record<string, string>
  /** SIGKILL; the data stays. */
  stop(): Promise<void>
  /** On the same port, with the same data. */
  restart(): Promise<void>
}

const region = 'us-east-1'
const environmentName = { minio: 'TABCAST_TEST_MINIO', versitygw: 'TABCAST_TEST_VERSITYGW' }

/** For the `skip` of a test: false when the server is there. In CI it has to be. */
export function whyNoS3 (kind: S3Kind): string | false {
  if (findS3Server(kind) !== undefined) return false
  if (process.env['CI']) throw new Error(`there is no ${kind}: run scripts/setup-s3-servers.mjs`)
  return `NOT TESTED: there is no ${kind} on this machine (make .tools/s3/.stamp builds it with Go)`
}

/** A real server on a free port with its data in a folder of its own; it ends with the test. */
export async function startS3 (t: Pick<Test, 'teardown'>, kind: S3Kind = 'minio'): Promise<TestS3> {
  const binary = findS3Server(kind)
  if (binary === undefined) throw new Error(`there is no ${kind}: run scripts/setup-s3-servers.mjs`)
  const folder = await mkdtemp(join(tmpdir(), `tabcast-${kind}-`))
  const port = await findFreePort()
  const [accessKeyId, secretAccessKey] = ['tabcast-test', randomBytes(16).toString('hex')]
  const data = join(folder, 'data')
  await mkdir(data)
  await mkdir(join(folder, 'sidecar'))
  const client = new Client({
    endPoint: '127.0.0.1',
    port,
    useSSL: false,
    region,
    accessKey: accessKeyId,
    secretKey: secretAccessKey
  })
  const launch = {
    minio: {
      args: ['server', '--quiet', '--address', `127.0.0.1:${port}`, data],
      env: {
        MINIO_ROOT_USER: accessKeyId,
        MINIO_ROOT_PASSWORD: secretAccessKey,
        MINIO_BROWSER: 'off',
        MINIO_UPDATE: 'off',
        HOME: folder
      }
    },
    versitygw: {
      // Metadata beside the data: not every temporary folder takes extended attributes.
      args: ['--port', `127.0.0.1:${port}`, '--region', region, '--quiet', '--keep-alive', 'posix', '--sidecar',
        join(folder, 'sidecar'), data],
      env: { ROOT_ACCESS_KEY: accessKeyId, ROOT_SECRET_KEY: secretAccessKey }
    }
  }[kind]
  let child: ChildProcess
  let output = ''
  const start = async (): Promise<void> => {
    child = spawn(binary, launch.args, {
      env: { PATH: process.env['PATH'], ...launch.env },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    await until(`${kind} answers`, async () => {
      if (child.exitCode !== null) throw new Error(`${kind} ended: ${output}`)
      return await client.listBuckets().then(() => true, () => false)
    })
  }
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  t.teardown(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  await start()
  const endpoint = `http://127.0.0.1:${port}`
  return {
    endpoint,
    region,
    accessKeyId,
    secretAccessKey,
    get pid () {
      return child.pid as number
    },
    client,
    createBucket: (name) => client.makeBucket(name, region),
    settings: (bucket, changes = {}) => ({
      TABCAST_S3_ENDPOINT: endpoint,
      TABCAST_S3_REGION: region,
      TABCAST_S3_BUCKET: bucket,
      TABCAST_S3_ACCESS_KEY_ID: accessKeyId,
      TABCAST_S3_SECRET_ACCESS_KEY: secretAccessKey,
      ...changes
    }),
    stop,
    restart: start
  }
}

/** A store in this bucket; `endpoint` may be that of a proxy. */
export function s3StoreConfig ({ endpoint, accessKeyId, secretAccessKey }: TestS3, bucket: string,
  changes: { endpoint?: string, timeoutMs?: number } = {}): { driver: 's3' } & S3StoreOptions {
  return {
    driver: 's3',
    endpoint,
    publicEndpoint: endpoint,
    region,
    bucket,
    accessKeyId,
    secretAccessKey,
    timeoutMs: 30_000,
    ...changes
  }
}

/** The binary, found in the same order as in scripts/setup-s3-servers.mjs. */
export function findS3Server (kind: S3Kind): string | undefined {
  const named = process.env[environmentName[kind]]
  if (named) return named
  const folders = [resolve('.tools/s3/bin'),
    ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')]
  return folders.map((folder) => join(folder, kind)).find(isExecutable)
}

function isExecutable (path: string): boolean {
  if (!existsSync(path)) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
