import { ConfigError, dataPaths, type Config, type SettingName } from '../config.ts'
import type { StoreConfig } from './open-store.ts'
import { defined } from '../defined.ts'

type S3Setting = Extract<SettingName, `S3_${string}`>

/** An S3 store needs all of these. */
const required: S3Setting[] = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
/** Without an endpoint these have no meaning. */
const dependent: S3Setting[] = [...required, 'S3_PUBLIC_ENDPOINT']

/** True if objects are in a bucket, so that processes need not share a disk. */
export function isRemoteStore (config: Config): boolean {
  return config.S3_ENDPOINT !== ''
}

/** The store that the settings name: a bucket if there is an endpoint, else a folder in the data folder. */
export function storeConfig (config: Config, signingSecret?: Uint8Array): StoreConfig {
  if (!isRemoteStore(config)) {
    const stray = dependent.find((name) => config[name] !== '')
    if (stray !== undefined) {
      throw new ConfigError(
        `TABCAST_${stray} is set and TABCAST_S3_ENDPOINT is not: set both for an S3 store, or neither for a folder`
      )
    }
    return { driver: 'local', root: dataPaths(config).objects, ...defined({ signingSecret }) }
  }
  const missing = required.find((name) => config[name] === '')
  if (missing !== undefined) {
    throw new ConfigError(`TABCAST_${missing} is missing: TABCAST_S3_ENDPOINT names an S3 store`)
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(config.S3_BUCKET)) {
    throw new ConfigError(`TABCAST_S3_BUCKET=${JSON.stringify(config.S3_BUCKET)}: not the name of a bucket`)
  }
  const endpoint = origin(config, 'S3_ENDPOINT')
  return {
    driver: 's3',
    endpoint,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT === '' ? endpoint : origin(config, 'S3_PUBLIC_ENDPOINT'),
    region: config.S3_REGION,
    bucket: config.S3_BUCKET,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
    timeoutMs: config.S3_TIMEOUT_MS
  }
}

/** The error does not show the value, because a wrong one may contain a password. */
function origin (config: Config, name: 'S3_ENDPOINT' | 'S3_PUBLIC_ENDPOINT'): string {
  const url = URL.canParse(config[name]) ? new URL(config[name]) : undefined
  const isPlain = url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' &&
    url.search + url.hash + url.username + url.password === ''
  if (!isPlain) {
    throw new ConfigError(
      `TABCAST_${name}: must be an http or https address without path, query or password, such as ` +
        'https://s3.example.com'
    )
  }
  return url.origin
}
