/**
 * What the engine finds in a file that nobody has said anything about yet: which columns there are, which of them look
 * like the time, the target and the series, and what the series are like. Names and values are the customer's own;
 * everything else is the same for the same bytes.
 */
export type { DataProfile, ProfiledColumn, ProfiledRoles, SeriesProfile } from './engine-documents.ts'
