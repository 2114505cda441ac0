import type { Config } from '../../platform/config.ts'

/** The content types that uploads may have; null: any. */
export function listedTypes ({ UPLOAD_CONTENT_TYPES: list }: Config): string[] | null {
  return list.trim() === '' ? null : list.split(',').map(mediaType)
}

/** The type without parameters such as a charset. */
export function mediaType (contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
