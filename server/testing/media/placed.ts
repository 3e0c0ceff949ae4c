// Posts of a studio whose media files the test writes instead of a worker.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { World } from '#server/testing/world.ts'
import { type Member, upload } from '#server/testing/people/members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import type { Field, Studio } from '#server/testing/people/studio.ts'

export const PLAYLIST = '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n1.m4s\n'

export interface PlacedMedia {
  /** Paths in the media's folder; a playlist contains `PLAYLIST`, any other file its own name. */
  readonly files: readonly string[]
  readonly state?: string
  readonly widths?: readonly number[]
  readonly hls?: boolean
  /** A picture instead of a video. */
  readonly picture?: boolean
  readonly released?: boolean
}

export const open: readonly Field[] = [['type', '1']]
export const priced: readonly Field[] = [
  ['type', '3'],
  ['price', '500'],
]

/** Adds a post of the creator with one media that has these files and this state. */
export async function placeMedia(
  world: World,
  { creator, post }: Pick<Studio, 'post'> & { creator: Member },
  fields: readonly Field[],
  { files, state = 'ready', widths = [], hls = false, picture = false, released = true }: PlacedMedia,
): Promise<{ id: string; postId: string }> {
  const bytes = picture ? await jpeg() : fixture('h264.mp4')
  const id = await upload(world, creator, bytes, picture ? 'a.jpg' : 'a.mp4')
  const postId = await post([...fields, [picture ? 'has_image_file[]' : 'has_video_file', id]], released)
  const { objects, scratch } = world.deps.storage
  const folder = scratch.newPath()
  await mkdir(folder)
  for (const file of files) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
    await writeFile(path.join(folder, file), file.endsWith('.m3u8') ? PLAYLIST : file)
  }
  await objects.putFolder(`media/${id}`, folder)
  await world.database.executeSql('update media set state = $2, made = $3 where id = $1', [
    id,
    state,
    JSON.stringify({ widths, hls }),
  ])
  return { id, postId }
}
