/**
 * Everything that crosses the queue, as CBOR maps with a version. Readers accept version N and N + 1, ignore fields
 * they do not know, and refuse any other version loudly.
 */
export const messageVersion = 1
