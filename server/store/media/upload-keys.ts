// Where the bytes of an upload are stored, which its purpose decides.
import { sql, type SQL } from 'drizzle-orm'
import { IDENTITY_PURPOSE } from '#contract/identity/identity.ts'
import { uploads } from '#server/store/tables/media.ts'

/** Prefixes of the keys of uploads: those of identity checks have one of their own (decision 110). */
export const uploadPrefixes = ['uploads', 'identity-uploads'] as const
export type UploadPrefix = (typeof uploadPrefixes)[number]

/** The purpose is in the metadata with which an upload was created, and never changes. */
type WithPurpose = Pick<typeof uploads.$inferSelect, 'metadata'>

/** Whether an upload was created for an identity check, and is not sealed. */
export const isDocument = ({ metadata }: WithPurpose): boolean => metadata['purpose'] === IDENTITY_PURPOSE

/** The prefix below which an upload's bytes are, and nowhere else. */
export const prefixOfUpload = (upload: WithPurpose): UploadPrefix =>
  isDocument(upload) ? 'identity-uploads' : 'uploads'

/** The key of an upload's bytes. */
export const keyOfUpload = (upload: WithPurpose & { readonly id: string }): `${UploadPrefix}/${string}` =>
  `${prefixOfUpload(upload)}/${upload.id}`

/** The condition of rows of uploads whose bytes are below a prefix. */
export const isBelow = (prefix: UploadPrefix): SQL => {
  const purpose = sql`coalesce(${uploads.metadata} ->> 'purpose', '')`
  return prefix === 'identity-uploads'
    ? sql`${purpose} = ${IDENTITY_PURPOSE}`
    : sql`${purpose} <> ${IDENTITY_PURPOSE}`
}
