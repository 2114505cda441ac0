export { Client, type AnyJob, type CallOptions, type ClientOptions, type JobFilter, type ResultFormat,
  type WaitOptions } from './client.ts'
export { TabcastError, type FieldError } from './errors.ts'
export type { Cell, Dataset, NamedFile, Row } from './rows.ts'
export type * from './schema.ts'
export { verifyWebhook, WebhookError, type WebhookEvent } from './webhook.ts'
