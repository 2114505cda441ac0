import { connectorCodes, type ConnectorCode } from '../../domain/connector-codes.ts'

/**
 * The only error that leaves the connectors. Its message is the sentence of the code table; its cause is the provider's
 * error.
 */
export class ConnectorError extends Error {
  override name = 'ConnectorError'
  readonly code: ConnectorCode

  constructor (code: ConnectorCode, cause?: unknown) {
    super(connectorCodes[code].text, cause === undefined ? undefined : { cause })
    this.code = code
  }

  get retryable (): boolean {
    return connectorCodes[this.code].retryable
  }
}
