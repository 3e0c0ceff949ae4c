// Sends single requests of resumable uploads to a test server.
import { readFile } from 'node:fs/promises'
import { newId } from '#contract/ids.ts'
import { TUS_PATH } from '#contract/paths.ts'
import { head, type Member, type Reply, tus } from '#server/testing/people/members.ts'
import { type World, storedAt } from '#server/testing/world.ts'

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

export const storedBytes = (world: World, id: string): Promise<Buffer> =>
  readFile(storedAt(world, 'uploads', id))

export const offsetOf = async (world: World, as: Member, id: string) =>
  (await head(world, as, id)).headers['upload-offset']
