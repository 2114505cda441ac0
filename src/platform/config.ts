import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Type, type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import Value from 'typebox/value'

/*
 * All settings. One schema gives the environment variable (TABCAST_ + the key), the default, the unit and the limits. A
 * wrong value stops the start with the name, the value and the rule. docs/reference/settings.md is generated from here.
 */
const MiB = 1024 * 1024
const GiB = 1024 * MiB

const text = (value: string, description: string) => Type.String({ default: value, description })
/** `form`: the pattern in words, to follow `must be`. */
const shaped = (value: string, pattern: string, form: string, description: string) =>
  Type.String({ default: value, pattern, form, description })
/** Includes the scheme; empty: not set. */
const address = (description: string) => shaped('', '^(https?://[^\\s]+)?$', 'an http or https address', description)
/** A setting whose value is never shown. */
const secret = (description: string) => Type.String({ default: '', description, secret: true })
const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description })
const count = (value: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: value, minimum, maximum, description })
const figure = (value: number, minimum: number, maximum: number, description: string) =>
  Type.Number({ default: value, minimum, maximum, description })

const natsServer = '((nats|tls)://)?([A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+\\])(:[0-9]{1,5})?'

const schema = Type.Object({
  PORT: count(8080, 0, 65535, 'Port of the HTTP interface; 0 picks a free one.'),
  HOST: text('127.0.0.1', 'Address the HTTP interface listens on.'),
  PUBLIC_URL: address('Base address that clients use, for signed URLs; empty: taken from the request.'),
  TRUST_PROXY: flag(false, 'Whether to trust the X-Forwarded-* headers of a proxy in front.'),
  MAX_CONNECTIONS: count(0, 0, 1e6,
    'Open connections of the HTTP interface; 0: three quarters of the files that its process may open, ' +
      'at most 16,384.'),
  MAX_CONNECTIONS_PER_ADDRESS: count(0, 0, 1e6,
    'Open connections of one address; 0: three quarters of all. With TRUST_PROXY there is no such limit.'),
  DATA_DIR: text('./data', 'Folder of the record, the objects and the embedded queue.'),
  DATA_DIR_MAX_BYTES: count(0, 0, 2 ** 50,
    'Size of the data folder above which uploads and jobs are refused; 0: the size of its disk. While jobs ' +
      'read from connections, their files may take up to a quarter more.'),
  DATA_DIR_MIN_FREE_BYTES: count(256 * MiB, 0, 2 ** 50,
    'Free bytes on the disk of the data folder below which uploads and jobs are refused. The rest is for jobs that ' +
      'must be finished, read and deleted. 0: no limit.'),
  ENVIRONMENT: shaped('live', '^[a-z0-9]{1,16}$', '1 to 16 lower-case letters and digits',
    'Environment part of issued keys (tbc_<env>_...).'),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', description: 'Lowest level of log lines that are written.' }
  ),
  METRICS_PORT: count(0, 0, 65535, 'Port of the metrics for Prometheus, at /metrics; 0: none.'),
  METRICS_HOST: text('127.0.0.1', 'Address that the metrics are served on. They need no key.'),
  STATIC_KEYS_FILE: text('',
    'JSON file that maps keys to tenants, or to {tenant, scopes}. It is read again when it changes.'),
  QUOTAS_FILE: text('',
    'JSON file {default, tenants: {NAME}} with the quotas {jobs_per_day, rows_per_day, stored_bytes} of tenants. It ' +
      'is read again when it changes. Empty: no quotas.'),

  S3_ENDPOINT: address(
    'Address of an S3-compatible store for all objects, such as https://s3.example.com; empty: a folder in the data ' +
      'folder.'
  ),
  S3_PUBLIC_ENDPOINT: address('Address of that store for clients, used in signed URLs; empty: S3_ENDPOINT.'),
  S3_REGION: text('us-east-1', 'Region of that store.'),
  S3_BUCKET: text('', 'Bucket of that store; it has to exist.'),
  S3_ACCESS_KEY_ID: text('', 'Access key of that store.'),
  S3_SECRET_ACCESS_KEY: secret('Secret of that access key.'),
  S3_TIMEOUT_MS: count(30_000, 100, 600_000,
    'Time without an answer of that store after which a request to it fails, milliseconds.'),

  KEYRING_FILE: text('',
    'JSON file {active, keys: {id: base64 of 32 bytes}} with the keys that encrypt stored secrets; empty: ' +
      'keyring.json in the data folder, which the service creates.'),

  NATS_URL: shaped('', `^(${natsServer}(,${natsServer})*)?$`,
    'host:port, nats://host:port or tls://host:port, or a comma list of them',
    'External NATS server, or a comma list of the servers of a cluster. tls:// refuses servers without TLS. Empty: ' +
      'the service starts its own.'),
  NATS_TOKEN: secret('Token for the NATS server.'),
  NATS_REPLICAS: count(1, 1, 5,
    'Servers of a NATS cluster that keep each message of the queue, 3 for a cluster of three. The api makes and ' +
      'changes the streams by it; a server without a cluster takes only 1.'),
  NATS_SERVER: text('', 'nats-server binary for the embedded queue; empty: the one of the package (bin) or checkout ' +
    '(.tools), then PATH.'),
  WORKERS: count(1, 0, 64, 'Worker processes that `serve` starts.'),
  SLOTS: count(Math.max(2, availableParallelism()), 1, 256,
    'Slot processes of one worker; with two or more, one takes only small jobs.'),
  SLOT_THREADS: count(availableParallelism(), 1, 256,
    'Threads of one slot. All content checks of a worker share as many.'),
  SHARDS: flag(true,
    'Whether a large forecast is computed in shards when other workers or idle cores can take some, and whether ' +
      "this worker computes shards of others' forecasts."),
  SHARD_SECONDS: figure(45, 0.001, 3_600,
    'Seconds of a core that a shard of a large forecast takes, about. Set it alike for all workers: the row groups ' +
      'of the table depend on it.'),
  SLOT_MEMORY_BYTES: count(0, 0, 2 ** 44,
    'Memory above which a slot process is killed. 0: half of the memory of the machine or of the limit of its ' +
      'container, at most two thirds of SLOTS_MEMORY_BYTES, at least 1 GiB.'),
  SLOTS_MEMORY_BYTES: count(0, 0, 2 ** 44,
    'Memory of all slot processes of one worker together. Above it, a slot that uses more than its share is killed, ' +
      'never the oldest, and its job waits again. 0: three quarters of the memory of the machine or container, ' +
      'divided by WORKERS, at least SLOT_MEMORY_BYTES.'),
  SLOT_MAX_JOBS: count(1_000, 1, 1e6, 'Jobs after which a slot process is replaced.'),
  SLOT_MAX_AGE_MS: count(600_000, 1000, 864e5, 'Age at which an idle slot process is replaced, milliseconds.'),
  CHECK_SLOTS: count(2, 1, 64,
    'Content checks of uploads that one worker makes at a time. With two or more, no tenant can have all of them, ' +
      'and one is for inputs up to 1 MiB.'),
  QUICK_QUEUE: count(64, 1, 10_000, 'Content checks that may wait in one worker. Further ones are refused as busy.'),
  SHARED_DATA_DIR: flag(false, 'Whether all worker hosts share the disk of the data folder.'),

  LEASE_MS: count(15_000, 500, 600_000,
    'Time without a message from a worker after which its job goes to another worker, milliseconds.'),
  RECONCILE_MS: count(5_000, 100, 600_000, 'Interval of the comparison of record and queue, milliseconds.'),
  SWEEP_MS: count(30_000, 100, 3_600_000, 'Interval of the expiry sweep, milliseconds.'),
  HEARTBEAT_MS: count(2_000, 50, 60_000, "Interval of a worker's announcement, milliseconds."),
  CLAIM_TIMEOUT_MS: count(2_000, 50, 60_000, 'Time a worker waits for the answer to a claim, milliseconds.'),
  CHECK_WAIT_MS: count(30_000, 100, 600_000, 'Time an upload waits for the turn of its content check, milliseconds.'),
  QUICK_TIMEOUT_MS: count(10_000, 100, 600_000,
    'Longest computation of a content check, milliseconds. A file that takes longer is refused.'),
  DRAIN_MS: count(30_000, 100, 600_000,
    'Time that a process may take to finish its current work when it is told to stop, milliseconds.'),
  JOB_BUDGET_SECONDS: count(3_600, 1, 864_000, 'Longest run of a job, seconds of wall time.'),
  SMALL_JOB_MS: count(30_000, 100, 3_600_000,
    'Time after which the run of a small job is stopped, milliseconds. The job then waits as a large one.'),
  JOB_RETENTION_SECONDS: count(3_600, 1, 31_536_000, 'Seconds for which a job and its files are kept after its end.'),
  MAX_SLOT_DEATHS: count(3, 1, 100, 'Slot deaths after which a job fails.'),
  MAX_LOST_WORKERS: count(10, 1, 1000, 'Lost workers after which a job fails.'),

  MAX_QUEUED: count(10_000, 1, 10_000_000,
    'Jobs of all tenants that may wait. When as many wait, only tenants with fewer than 1 % of this number waiting ' +
      'may add jobs.'),
  MAX_QUEUED_PER_TENANT: count(5_000, 1, 10_000_000, 'Jobs of one tenant that may wait.'),
  CHECKS_WAITING_PER_TENANT: count(1_000, 1, 10_000_000,
    'Uploads of one tenant that may wait for their content check.'),
  SYNC_CHECK_MAX_BYTES: count(32 * MiB, 0, GiB, 'Inputs up to this size are checked in full before the 202.'),
  SIGNED_URL_SECONDS: count(300, 1, 604_800, 'Lifetime of a signed download URL, seconds.'),
  SIGNED_UPLOAD_SECONDS: count(900, 1, 604_800, 'Lifetime of a signed upload URL, seconds.'),
  IDEMPOTENCY_SECONDS: count(86_400, 1, 2_592_000, 'Seconds for which the answer to an Idempotency-Key is kept.'),
  IDEMPOTENCY_MAX_BYTES: count(GiB, 1024, 2 ** 50,
    'Bytes of the answers that are kept for the Idempotency-Keys of one tenant. Above it, requests with a new key ' +
      'are refused until the oldest answers expire.'),
  IDEMPOTENCY_WAIT_MS: count(30_000, 0, 600_000,
    'Time that a request waits for a running request with the same Idempotency-Key, milliseconds.'),

  MAX_UPLOAD_BYTES: count(GiB, 1, 2 ** 44, 'Largest multipart upload.'),
  MAX_OBJECT_BYTES: count(5 * GiB, 1, 2 ** 44, 'Largest upload to a signed URL.'),
  MAX_OBJECTS_PER_TENANT: count(500_000, 1, 1e9,
    'Stored objects of one tenant. A deleted object counts for one more day.'),
  UPLOAD_CONTENT_TYPES: text('', 'Content types that a signed upload may have, as a comma list; empty: any.'),
  PREVIEW_MAX_BYTES: count(262_144, 1024, 64 * MiB, 'Bytes of a stored file that a preview reads.'),
  PREVIEW_MAX_ROWS: count(100, 1, 10_000, 'Rows that a preview returns.'),
  MAX_JSON_BYTES: count(MiB, 1024, 64 * MiB, 'Largest JSON body.'),
  MAX_FORM_FIELD_BYTES: count(64 * 1024, 256, 16 * MiB, 'Largest text field of a form.'),
  MAX_ROWS: count(200_000_000, 1, 1e12, 'Rows of a dataset.'),
  MAX_COLUMNS: count(500, 3, 100_000, 'Columns of a dataset.'),
  MAX_SERIES: count(2_000_000, 1, 1e9, 'Series of a dataset, and nodes of its hierarchy.'),
  MAX_CELL_CHARS: count(32_768, 1, 16 * MiB, 'Characters of a cell.'),
  MAX_HORIZON: count(1_000, 1, 1_000_000, 'Steps of a forecast.'),
  MAX_FORECAST_POINTS: count(50_000_000, 1, 1e12, 'Horizon times series, including the aggregates of a hierarchy.'),
  MAX_OUTPUT_BYTES: count(16 * 2 ** 30, 1000, 2 ** 50,
    'Bytes of a forecast table as CSV, computed from the lengths of the item ids before the job is accepted.'),
  MAX_CSV_BYTES: count(256_000_000, 0, 2 ** 44, 'Size above which the CSV is made at the first download, bytes.'),
  DOWNLOADS_PER_TENANT: count(16, 1, 10_000,
    'Simultaneous downloads of one tenant. The same number of further ones wait for some seconds. All tenants ' +
      'together have eight times this number, and each has at least one.'),
  UNREAD_BYTES_PER_TENANT: count(64 * MiB, 1, GiB,
    'Bytes of answers, without files, that stay in memory until the clients of one tenant have read them. Above it, ' +
      'requests get 429. All tenants together have eight times as many, and each at least one answer.'),
  UPLOAD_MIN_BYTES_PER_SECOND: count(1024, 0, GiB,
    'Slowest upload after the first 10 seconds; 0 switches the check off.'),

  FINE_TUNE_ENABLED: flag(true, 'Whether to take jobs that train a model. If false, existing models still work.'),
  FINE_TUNE_MODEL_TTL: count(2_592_000, 0, 315_360_000,
    'Time for which a fine-tuned model is kept, seconds; 0: until it is deleted.'),
  FINE_TUNE_MAX_MODELS: count(20, 1, 10_000, 'Fine-tuned models of one tenant, including those in training.'),

  TABULAR_ENABLED: flag(true, 'Whether to take classifications and regressions.'),

  ANALYSIS_ROLLING_REGRESSION: flag(false,
    'Whether to make the rolling regressions that `explainability` requests. If false, they are skipped as ' +
      '`disabled_by_operator`.'),

  EXPLANATION_URL: address(
    'OpenAI-compatible endpoint, such as http://llm.internal:8000/v1, that rewords explanations. It receives their ' +
      'sentences, with names of series. Empty: explanations keep the words of the rules.'
  ),
  EXPLANATION_MODEL: text('', 'Model to request from that endpoint.'),
  EXPLANATION_API_KEY: secret('Key for that endpoint; empty: none is sent.'),

  LLM_BASE_URL: text('',
    'OpenAI-compatible endpoint, such as http://llm.internal:8000/v1, that helps where the rules do not understand a ' +
      'prompt. It receives the prompt, and names and figures of columns, never rows. Empty: only the rules.'),
  LLM_MODEL: text('', 'Model to request from that endpoint.'),
  LLM_API_KEY: secret('Key for that endpoint; empty: none is sent.'),
  LLM_TIMEOUT_MS: count(20_000, 100, 600_000,
    'Time for all requests of one prompt to that endpoint, milliseconds. After that, the intent of the ' +
      'rules is used.'),

  SANDBOX_ENABLED: flag(false,
    'Whether visitors may try the service: one small job for each company, with a public key of the scope sandbox.'),
  SANDBOX_CLAIM_DAYS: count(0, 0, 36_500, 'Days after which a company may have another job in the sandbox; 0: never.'),
  SANDBOX_RETENTION_SECONDS: count(3_600, 1, 31_536_000,
    'Seconds for which a job of the sandbox and its files are kept after its end.'),
  SANDBOX_POSTS_PER_HOUR: count(5, 1, 1e9,
    'Requests for a job of the sandbox per hour and address, including refused ones. TABCAST_RATE_LIMITS does not ' +
      'switch this limit off.'),
  SANDBOX_POSTS_PER_MINUTE: count(30, 1, 1e9,
    'Requests for jobs of the sandbox per minute by all visitors together. A sixth of them, at least ten, may come ' +
      'at once. Further ones get 429, so that they do not slow down tenants.'),
  SANDBOX_READS_PER_MINUTE: count(300, 1, 1e9,
    'Reads per minute and address with a key of the sandbox. TABCAST_RATE_LIMITS does not switch this limit off.'),
  SANDBOX_DOWNLOAD_BYTES_PER_SECOND: count(262_144, 1, GiB,
    'Slowest download of a visitor, after the first 5 seconds. If all downloads of the sandbox are in use and ' +
      'another visitor waits for one, a slower download is cut off.'),
  SANDBOX_MAX_WAITING: count(100, 1, 10_000, 'Jobs of the sandbox that may wait, including requests in progress.'),
  SANDBOX_MAX_STORED_BYTES: count(GiB, 16 * MiB, 2 ** 50,
    'Bytes that jobs of the sandbox may keep, including results. Above it, further jobs are refused.'),
  SANDBOX_CAPTCHA: Type.Union(['altcha', 'turnstile', 'hcaptcha', 'none'].map((driver) => Type.Literal(driver)), {
    default: 'altcha',
    description:
      'What keeps programs out of the sandbox: altcha (a proof of work that the service checks itself), turnstile or ' +
      'hcaptcha (external services), or none.'
  }),
  SANDBOX_CAPTCHA_SITE_KEY: text('', 'Site key of turnstile or hcaptcha, which pages show.'),
  SANDBOX_CAPTCHA_SECRET: secret('Secret of that site key.'),
  SANDBOX_CAPTCHA_HOSTNAMES: text('',
    'Hosts of the pages where that captcha may be solved, as a comma list; empty: any.'),
  SANDBOX_CAPTCHA_URL: address(
    'Address that checks tokens of turnstile or hcaptcha, such as a relay; empty: their own.'
  ),
  SANDBOX_CAPTCHA_TIMEOUT_MS: count(5_000, 100, 60_000,
    'Time that turnstile or hcaptcha may take for one token, milliseconds.'),
  SANDBOX_KEY: secret(
    'Key of the scope sandbox that the page at /try shows to everybody; empty: no such page.'
  ),
  SANDBOX_ORIGINS: text('',
    'Origins whose pages may frame /try and use the sandbox from a script, as a comma list such as ' +
      'https://www.example.com; empty: none.'),
  SANDBOX_DOMAINS_FILE: text('',
    'JSON file {allow, block} of e-mail domains. The sandbox accepts or refuses them, whatever its own lists of free ' +
      'and disposable providers say. It is read again when it changes.'),

  COVARIATES_FILE: text('',
    'JSON file that names the providers of external covariates; empty: no providers on the network.'),
  COVARIATES_DIR: text('',
    'Folder of a mounted catalogue of covariates; it may change while the service runs. Empty: none.'),
  COVARIATES_CACHE: text('',
    'Folder for answers of covariate providers, which survive a restart there, at most 1 GiB; empty: only in memory.'),
  COVARIATES_DAILY_YEARS: count(200, 1, 5_000,
    'Years for which external covariates are collected, including the horizon, if steps are a day or longer.'),
  COVARIATES_HOURLY_YEARS: count(20, 1, 5_000, 'The same if steps are shorter than a day.'),
  EGRESS: Type.Union([Type.Literal('allowed'), Type.Literal('none')], {
    default: 'allowed',
    description:
      'none: the service never asks covariate providers on the network, only the built-in ones and the catalogue.'
  }),

  CPU_SECOND_PRICE: shaped('', '^([0-9]{1,9}([.][0-9]{1,9})?)?$', 'a decimal number without sign or exponent',
    'Price of a second of one core, for /estimate/cost, such as 0.00002; empty: estimates have no amount.'),
  CURRENCY: shaped('', '^([A-Z]{3})?$', 'three capital letters', 'Currency of that price, such as EUR.'),
  RATE_CARD_VERSION: shaped('default', '^[A-Za-z0-9._-]{1,40}$',
    '1 to 40 letters, digits, dots, underscores and hyphens', 'Version of the prices that cost estimates show.'),

  CONNECTOR_ALLOW_CIDRS: text('',
    "Private networks where customers' stores may be, as a comma list such as 10.1.0.0/16; empty: only " +
      'public addresses.'),
  CONNECTOR_AMBIENT_AUTH: flag(false,
    "Allow connections that use the service's own identity: assume_role, iam_role, instance_profile, " +
      'workload_identity.'),
  CONNECTOR_STS_ENDPOINT: text('',
    'Address of the token service for assume_role; empty: the endpoint of the connection, or AWS.'),
  CONNECTOR_MAX_BYTES: count(16 * GiB, 1, 2 ** 44, 'Bytes that a connection may read for one job.'),
  CONNECTOR_MAX_ROWS: count(200_000_000, 1, 1e12, 'Rows that a connection may read for one job.'),
  CONNECTOR_TIMEOUT_MS: count(30_000, 100, 600_000,
    "Time without an answer of a customer's store after which a request fails, and time for the headers of its " +
      'answer, milliseconds.'),
  AUDIT_RETENTION_DAYS: count(90, 1, 36_500,
    'Days for which the audit log of a tenant and the audit trails of its connections are kept.'),
  AUDIT_MAX_RECORDS: count(1_000_000, 100, 1e9,
    'Records in the audit log of one tenant, about half a kilobyte each. Above it, the oldest are removed early.'),

  CALLBACK_ALLOW_CIDRS: text('',
    'Private networks that callbacks may reach, as a comma list; empty: public addresses only.'),
  CALLBACK_ALLOW_HOSTS: text('',
    'Hosts that callbacks may reach at any address, port and scheme, as a comma list of host or host:port.'),
  NAME_SERVERS: text('',
    'Name servers for hosts that customers name, as a comma list of address or address:port; empty: ' +
      'those of the system.'),
  CALLBACK_TIMEOUT_MS: count(15_000, 100, 600_000, 'Time that a callback may take, milliseconds.'),
  CALLBACK_RETRY_SECONDS: text('0,5,30,120,600,1200',
    'Pauses before each attempt of a callback, seconds, as a comma list. There are as many attempts as pauses.'),
  CALLBACKS_PER_TENANT: count(100_000, 1, 10_000_000,
    'Callbacks of one tenant that may wait, including those to endpoints; half as many for hosts that fail. Further ' +
      'ones are not sent.'),
  DELIVERY_RETRY_SECONDS: text('0,5,30,120,600',
    "Pauses before each attempt to write a result to a customer's store, seconds, as a comma list."),

  LONG_POLLS_PER_TENANT: count(2_000, 1, 100_000,
    'Requests of one tenant that may wait for a change of a job (GET /jobs/{job_id}?wait=) at a time. ' +
      'Further ones get 429.'),
  EVENT_STREAMS_PER_TENANT: count(500, 0, 100_000, 'Event streams of jobs that one tenant may hold open.'),
  EVENT_HEARTBEAT_MS: count(15_000, 50, 600_000, 'Interval of the heartbeat in an event stream, milliseconds.'),

  RATE_LIMITS: flag(true, 'Whether to limit requests per key and tenant.'),
  RATE_READS_PER_MINUTE: count(60_000, 1, 1e9, 'Reads of one key per minute.'),
  RATE_CREATES_PER_MINUTE: count(6_000, 1, 1e9, 'Requests of one key per minute that create jobs.'),
  RATE_UPLOADS_PER_MINUTE: count(6_000, 1, 1e9, 'Uploads of one key per minute.'),
  RATE_AGENT_PER_MINUTE: count(600, 1, 1e9, 'Requests to the agent of one key per minute.'),
  RATE_TENANT_FACTOR: count(2, 1, 1000, 'All keys of a tenant together have this many times the limits of one key.'),
  SYNC_CPU_MS_PER_MINUTE: count(60_000, 100, 1e9,
    'Processor time of one tenant per minute for work that its callers wait for, milliseconds of a core: content ' +
      'checks, previews, the agent, estimates, tests of connections, look-ups of places. Listings of ' +
      "customers' stores for its jobs count too."),
  API_CPU_MS_PER_MINUTE: count(10_000, 100, 1e9,
    'Processor time of one tenant per minute in the api process, milliseconds. The process has one thread for all ' +
      'tenants, so 10,000 are a sixth of it. Reads of single things cost nothing, except for the bytes of files.'),
  RATE_AUTH_FAILURES_PER_MINUTE: count(20, 1, 1e9, 'Failed authentications of one address per minute.')
}, { additionalProperties: false })

export type Config = Readonly<Static<typeof schema>>
export type SettingName = keyof typeof schema.properties

export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Name, default, description and schema of every setting, for docs/reference/settings.md and `tabcast config`. */
export const settings = Object.entries(
  schema.properties as unknown as Record<string, TSchema & Rule & { default: unknown, description: string }>
)

const compiled = Compile(schema)

/**
 * Variables that share the prefix but are no settings: the name of the settings file, and those that the command
 * `forecast` and the clients read.
 */
const notSettings = new Set(['TABCAST_CONFIG', 'TABCAST_API_KEY', 'TABCAST_URL'])

/**
 * Environment variables win over the file that TABCAST_CONFIG names (JSON, keys without the prefix), and the file wins
 * over the defaults.
 */
export function loadConfig (env: NodeJS.ProcessEnv = process.env): Config {
  const given: Record<string, unknown> = {}
  if (env['TABCAST_CONFIG']) Object.assign(given, readSettingsFile(env['TABCAST_CONFIG']))
  for (const [name, value] of Object.entries(env)) {
    if (notSettings.has(name) || !name.startsWith('TABCAST_') || value === undefined || value === '') continue
    const key = name.slice('TABCAST_'.length)
    if (!(key in schema.properties)) throw new ConfigError(`${name}: no such setting (see \`tabcast config\`)`)
    given[key] = value
  }
  for (const [key, value] of Object.entries(given)) given[key] = fromText(ruleOf(key), value)
  const value = Value.Default(schema, given)
  if (!compiled.Check(value)) {
    const [error] = compiled.Errors(value)
    const key = error?.instancePath.split('/')[1] ?? ''
    const shown = JSON.stringify(shownValue(ruleOf(key), (value as Record<string, unknown>)[key]))
    const { description } = ruleOf(key)
    throw new ConfigError(`TABCAST_${key}=${shown}: ${requirement(ruleOf(key))} (${description})`)
  }
  return Object.freeze(value)
}

export type SettingSource = 'environment' | 'file' | 'default'

/** Says where `loadConfig` takes a setting from. */
export function sourceOf (name: string, env: NodeJS.ProcessEnv = process.env): SettingSource {
  if (env[`TABCAST_${name}`]) return 'environment'
  return env['TABCAST_CONFIG'] && name in readSettingsFile(env['TABCAST_CONFIG']) ? 'file' : 'default'
}

/** The part of a setting's value that may be printed. */
export function shownValue ({ secret }: Rule, value: unknown): unknown {
  return secret === true && value !== '' ? '<set, not shown>' : value
}

interface Rule {
  description?: string
  type?: string
  minimum?: number
  maximum?: number
  /** The pattern in words. */
  form?: string
  secret?: boolean
  anyOf?: Array<{ const: string }>
}

function ruleOf (key: string): Rule {
  return (schema.properties as Record<string, Rule>)[key] ?? {}
}

/**
 * A text that does not look exactly like the wanted type stays a text, so that the check refuses it. TypeBox's own
 * conversion would read 1.5 as the integer 1.
 */
function fromText ({ type }: Rule, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (type === 'integer') return /^[+-]?\d{1,16}$/.test(value) ? Number(value) : value
  if (type === 'number') return /^[+-]?\d{1,16}(\.\d{1,9})?$/.test(value) ? Number(value) : value
  if (type === 'boolean' && ['true', '1'].includes(value)) return true
  if (type === 'boolean' && ['false', '0'].includes(value)) return false
  return value
}

/** Says what a value of this setting must be, to end a sentence. */
export function requirement ({ type, minimum, maximum, form, anyOf }: Rule): string {
  if (type === 'integer') return `must be an integer from ${minimum} to ${maximum}`
  if (type === 'number') return `must be a number from ${minimum} to ${maximum}`
  if (type === 'boolean') return 'must be a boolean, true or false'
  if (anyOf !== undefined) return `must be one of ${anyOf.map((branch) => branch.const).join(', ')}`
  return form === undefined ? 'must be a text' : `must be ${form}`
}

function readSettingsFile (path: string): object {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    // The parser's message quotes the text, which may contain secrets.
    if (cause instanceof SyntaxError) {
      throw new ConfigError(`TABCAST_CONFIG=${path}: is not JSON; it looks like {"PORT": 8080}`)
    }
    throw new ConfigError(`TABCAST_CONFIG=${path}: ${(cause as Error).message}`, { cause })
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError(`TABCAST_CONFIG=${path}: must be a JSON object`)
  }
  const unknown = Object.keys(parsed).find((key) => !(key in schema.properties))
  if (unknown !== undefined) {
    throw new ConfigError(`TABCAST_CONFIG=${path}: no such setting: ${unknown} (see \`tabcast config\`)`)
  }
  return parsed
}

/** Paths inside the data folder. */
export function dataPaths (config: Config) {
  const at = (...parts: string[]) => join(config.DATA_DIR, ...parts)
  return {
    metadata: at('metadata'),
    objects: at('objects'),
    spool: at('spool'),
    scratch: at('scratch'),
    queue: at('nats'),
    secrets: at('secrets.json'),
    keyring: config.KEYRING_FILE === '' ? at('keyring.json') : config.KEYRING_FILE,
    lock: at('lock'),
    queueLock: at('nats.lock'),
    socket: at('admin.sock')
  }
}
