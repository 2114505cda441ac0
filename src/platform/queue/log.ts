/**
 * The part of a pino logger that this folder writes to: ids, stages and durations, never message contents or tokens.
 */
export interface QueueLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
