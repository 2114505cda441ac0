import * as native from '#native'

/** The addon's version, which is part of `model_version`. */
export function engineVersion (): string {
  return native.version()
}
