import type { Logger } from 'pino'
import type { Config } from '../../platform/config.ts'
import type { MetadataStore, Transaction } from '../../platform/metadata/metadata-store.ts'
import type { NetworkPolicy } from '../../platform/network/network-policy.ts'
import type { Vault } from '../../platform/vault/vault.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import type { JobService } from '../jobs/job-service.ts'
import type { CpuBudgets } from '../quotas/cpu-budgets.ts'
import { acceptCallbackUrl } from './accept-callback-url.ts'
import type { CallbackLedger, JobCallback } from './callback-ledger.ts'
import { CallbackSender, type CallbackObserver } from './callback-sender.ts'
import type { EndpointLedger } from './endpoint-ledger.ts'
import { EndpointService } from './endpoint-service.ts'
import { WebhookSecrets, type WebhookSecret } from './webhook-secrets.ts'

/** Announces the ends of jobs at addresses that their callers gave. */
export interface CallbackService {
  /** The address of a request, or null for none. Throws validation_error; `loc` is the field in the request. */
  acceptUrl(text: string | null | undefined, loc?: Array<string | number>): string | null
  /** The announcements of a job, oldest first; undefined when there is no such job. */
  messages(tenant: string, jobId: string): JobCallback[] | undefined
  readonly endpoints: EndpointService
  secret(tenant: string): Promise<WebhookSecret>
  rotateSecret(tenant: string, within?: (tx: Transaction) => void): Promise<WebhookSecret>
}

export interface RunningCallbackService extends CallbackService {
  /** Attempts in progress are broken off, and repeated after the next start. */
  stop(): Promise<void>
}

export interface CallbackServiceDeps {
  config: Config
  metadata: MetadataStore
  vault: Vault
  /** Created before the jobs, because it follows them. */
  ledger: CallbackLedger
  endpoints: EndpointLedger
  jobs: Pick<JobService, 'get' | 'entry' | 'amend'>
  policy: NetworkPolicy
  budgets: Pick<CpuBudgets, 'spend' | 'debtMs'>
  render: (record: JobRecord) => object
  observer?: CallbackObserver | undefined
  log: Logger
}

export function createCallbackService (
  { config, metadata, vault, ledger, endpoints, jobs, policy, budgets, render, observer, log }: CallbackServiceDeps
): RunningCallbackService {
  const secrets = new WebhookSecrets(metadata, vault)
  const sender = new CallbackSender({
    ledger,
    endpoints,
    secrets,
    jobs,
    policy,
    budgets,
    render,
    timeoutMs: config.CALLBACK_TIMEOUT_MS,
    observer,
    log
  })
  const acceptUrl: CallbackService['acceptUrl'] = (text, loc) => acceptCallbackUrl(policy, text, loc)
  return {
    acceptUrl,
    endpoints: new EndpointService({ metadata, ledger, endpoints, secrets, acceptUrl }),
    messages: (tenant, jobId) => jobs.get(tenant, jobId) === undefined ? undefined : ledger.messages(tenant, jobId),
    secret: (tenant) => secrets.show(tenant),
    rotateSecret: (tenant, within) => secrets.rotate(tenant, within),
    stop: () => sender.stop()
  }
}
