/**
 * What the engine finds in a file about which the caller knows nothing: its columns, those that look like time, target
 * and series, and the character of the series. Names and values are the customer's own. The same bytes always give the
 * same profile.
 */
export type { DataProfile, ProfiledColumn, ProfiledRoles, SeriesProfile } from './engine-documents.ts'
