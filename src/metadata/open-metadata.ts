import type { MetadataOptions, MetadataStore } from './metadata-store.ts'

export declare function openMetadata (options: MetadataOptions): Promise<MetadataStore>
