/**
 * The version of every message in the queue; messages are CBOR maps. Readers accept versions N and N + 1, ignore fields
 * that they do not know, and refuse any other version with an error.
 */
export const messageVersion = 1
