import * as native from '#native'

/** Version of the addon: part of `model_version`. */
export function engineVersion (): string {
  return native.version()
}
