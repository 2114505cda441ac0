import { Type, type TObject, type TProperties, type TSchemaOptions } from 'typebox'

/**
 * An object that takes no other fields, and whose fields with a default may be left out. Their static type is as after
 * the defaults are filled in; TypeBox alone would list them as required, in the interface description too, and report
 * them as missing whenever another field of the same block is wrong.
 */
export function closedObject<T extends TProperties> (properties: T, options: TSchemaOptions = {}): TObject<T> {
  const object = Type.Object(properties, { ...options, additionalProperties: false })
  const required = (object as unknown as { required?: string[] }).required ?? []
  return Object.assign(object, { required: required.filter((name) => !('default' in (properties[name] as object))) })
}
