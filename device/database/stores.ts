// The device's stores: what each holds, by which key, and how its rows are parsed.
import type { DBSchema } from 'idb'
import type * as v from 'valibot'
import { responseRow, type CachedResponse } from '#device/cache/response-row.ts'
import { pictureRow, type Picture } from '#device/cache/picture-row.ts'
import {
  jobRow,
  mutationRow,
  preuploadRow,
  type Job,
  type MutationJob,
  type Preupload,
} from '#device/jobs/job-rows.ts'
import {
  chunkRow,
  draftRow,
  identityRow,
  mediaRow,
  messageDraftRow,
  receiptRow,
  sessionRow,
  sharedRow,
  type Chunk,
  type Draft,
  type IdentityDraft,
  type Media,
  type MessageDraft,
  type Receipt,
  type Session,
  type Shared,
} from './schema.ts'

/** A row that an earlier version could not parse and had moved away. */
interface Broken {
  store: string
  key: string
  row: unknown
  at: number
}

export interface DeviceSchema extends DBSchema {
  drafts: { key: string; value: Draft; indexes: { owner: string } }
  media: { key: string; value: Media; indexes: { draft: string; conversion: [string, string] } }
  chunks: { key: [string, number]; value: Chunk }
  jobs: { key: string; value: Job; indexes: { owner: string } }
  identity: { key: string; value: IdentityDraft }
  messageDrafts: { key: string; value: MessageDraft; indexes: { owner: string } }
  early: { key: string; value: Preupload; indexes: { owner: string } }
  receipts: { key: string; value: Receipt; indexes: { owner: string } }
  session: { key: string; value: Session }
  shared: { key: string; value: Shared }
  acts: { key: string; value: MutationJob; indexes: { owner: string } }
  settings: { key: string; value: unknown }
  answers: {
    key: [string, string]
    value: CachedResponse
    indexes: { owner: string; age: [string, number, number]; picture: string; until: number }
  }
  pictures: { key: [string, string]; value: Picture; indexes: { age: [string, number, number] } }
  broken: { key: number; value: Broken }
}

/** How each kind of row is parsed, by store. */
export const rowSchemas = {
  drafts: draftRow,
  media: mediaRow,
  chunks: chunkRow,
  jobs: jobRow,
  identity: identityRow,
  messageDrafts: messageDraftRow,
  early: preuploadRow,
  receipts: receiptRow,
  shared: sharedRow,
  session: sessionRow,
  answers: responseRow,
  pictures: pictureRow,
  acts: mutationRow,
} as const
export type RowStore = keyof typeof rowSchemas
export type RowOf<S extends RowStore> = v.InferOutput<(typeof rowSchemas)[S]>
