export function linkedDocuments (document: string): string[]
