// Uploads by the legacy protocol: adds a post first, then sends its video by chunks.
import { newId } from '#contract/ids.ts'
import { LEGACY_CHUNK } from '#contract/limits.ts'
import {
  addPost,
  call,
  digestOf,
  type FormValue,
  type Member,
  noise,
  type Reply,
} from '#server/testing/people/members.ts'
import { fixture } from '#server/testing/pictures.ts'
import type { World } from '#server/testing/world.ts'

export interface AwaitedPost {
  readonly postId: string
  readonly videoId: string
  readonly key: string
}

/** A video of three chunks, the last of them short. */
export const longVideo = (): Buffer =>
  Buffer.concat([fixture('h264.mp4'), noise(2 * LEGACY_CHUNK + 1000 - fixture('h264.mp4').length)])

/** `video_digest` of bytes. */
export const expectedDigest = async (bytes: Buffer): Promise<string> =>
  (await digestOf(newId(), bytes)).slice(37)

/** Adds a post whose video is uploaded after it. */
export async function addAwaited(
  world: World,
  as: Member,
  fields: readonly (readonly [string, FormValue])[] = [],
  key = newId(),
): Promise<AwaitedPost> {
  const reply = await addPost(world, as, [['type', '1'], ['has_video_file', '1'], ...fields], key)
  const { id, video_id } = reply.json().data[0].item as { id: string; video_id: string }
  return { postId: id, videoId: video_id, key }
}

export interface Chunk {
  readonly chunk: number
  readonly chunks: number
  readonly bytes: Buffer
  readonly name?: string
}

/** Sends one chunk, with the fields in the order of the specification. */
export async function sendChunk(world: World, as: Member | null, id: string, it: Chunk): Promise<Reply> {
  const form = new FormData()
  form.append('file_id', id)
  form.append('file_name', it.name ?? 'video-1700000000000.mp4')
  form.append('file', new Blob([new Uint8Array(it.bytes)]), 'blob')
  form.append('chunk', String(it.chunk))
  form.append('chunks', String(it.chunks))
  const encoded = new globalThis.Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return call(world, as, 'POST', '/post/upload-chunking', Buffer.from(await encoded.arrayBuffer()), headers)
}

/** Splits bytes into chunks as a device does. */
export function chunksOf(bytes: Buffer, name?: string): Chunk[] {
  const chunks = Math.ceil(bytes.length / LEGACY_CHUNK)
  return Array.from({ length: chunks }, (_, chunk) => ({
    chunk,
    chunks,
    bytes: bytes.subarray(chunk * LEGACY_CHUNK, (chunk + 1) * LEGACY_CHUNK),
    ...(name === undefined ? {} : { name }),
  }))
}

/** Sends every chunk in order. */
export async function sendAll(
  world: World,
  as: Member,
  id: string,
  bytes: Buffer,
  name?: string,
): Promise<void> {
  for (const it of chunksOf(bytes, name)) await sendChunk(world, as, id, it)
}

export const release = (world: World, as: Member, postId: string): Promise<Reply> =>
  call(world, as, 'POST', `/post/release-uploaded/${postId}`)
