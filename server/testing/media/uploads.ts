// Sends single requests of resumable uploads to a test server.
import { truncate } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { newId } from '#contract/ids.ts'
import { TUS_PATH } from '#contract/paths.ts'
import { head, type Member, type Reply, tus } from '#server/testing/people/members.ts'
import { LostBytes } from '#server/adapters/files/upload-bytes.ts'
import { isDocument, keyOfUpload } from '#server/store/media/upload-keys.ts'
import { findUpload } from '#server/store/media/uploads.ts'
import { onS3, storedAt, type World } from '#server/testing/world.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

export const metadataOf = (id: string) => `id ${base64(id)},filename ${base64('a.mp4')}`

export function createUpload(
  world: World,
  as: Member | null,
  headers: Record<string, string>,
): Promise<Reply> {
  return world.app.inject({ method: 'POST', url: TUS_PATH, headers: { ...as?.auth, ...tus, ...headers } })
}

/** Creates an upload without bytes. @returns its id */
export async function beginUpload(world: World, as: Member, length = 10): Promise<string> {
  const id = newId()
  await createUpload(world, as, { 'upload-length': String(length), 'upload-metadata': metadataOf(id) })
  return id
}

export function removeUploadOf(world: World, as: Member, id: string): Promise<Reply> {
  return world.app.inject({ method: 'DELETE', url: `${TUS_PATH}/${id}`, headers: { ...as.auth, ...tus } })
}

/** Bytes of an upload. In an object store, an unfinished one is completed before, and takes no more bytes. @throws ENOENT */
export async function storedBytes({ deps }: World, id: string): Promise<Buffer> {
  const { objects, uploadBytes, documentBytes } = deps.storage
  const row = await findUpload(deps.db, id)
  if (onS3 && row?.expiredAt === null && row.received !== 0)
    await (isDocument(row) ? documentBytes : uploadBytes).complete(id)
  return buffer(objects.read(row ? keyOfUpload(row) : `uploads/${id}`))
}

/** Loses bytes of a complete upload: those after `remaining`, or in an object store all. */
export async function loseBytes({ deps, dataDir }: World, id: string, remaining: number): Promise<void> {
  if (onS3) await deps.storage.objects.remove(`uploads/${id}`)
  else await truncate(storedAt({ dataDir }, 'uploads', id), remaining)
}

/** The error of a store that has lost the bytes of an upload. */
export const lostBytes = () => new LostBytes('lost for a test')

/**
 * Counts the bytes that the server takes from requests.
 * @returns the number of bytes of an upload, stored or in memory
 */
export function countReceived({ deps }: World): (id: string) => number {
  const counts = new Map<string, number>()
  const { uploadBytes } = deps.storage
  const append = uploadBytes.append.bind(uploadBytes)
  async function* counted(id: string, offset: number, pieces: Parameters<typeof append>[3]) {
    let end = offset
    for await (const parts of pieces) {
      yield parts
      for (const it of parts) end += it.length
      counts.set(id, end)
    }
  }
  uploadBytes.append = (id, offset, length, pieces) => append(id, offset, length, counted(id, offset, pieces))
  return (id) => counts.get(id) ?? 0
}

export const offsetOf = async (world: World, as: Member, id: string) =>
  (await head(world, as, id)).headers['upload-offset']
