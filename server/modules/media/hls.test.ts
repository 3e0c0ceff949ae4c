// HLS files of a longer video: complete playlists, and no file without access.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { errorOf, upload } from '#server/testing/people/members.ts'
import { fixture } from '#server/testing/pictures.ts'
import { openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let studio: Studio
beforeAll(async () => {
  world = await openWorld({ worker: true })
  studio = await openStudio(world)
})
afterAll(() => world.close())

async function paidVideo(bytes: Buffer): Promise<{ id: string; postId: string; hls: string | undefined }> {
  const id = await upload(world, studio.creator, bytes, 'a.mp4')
  const postId = await studio.post([
    ['type', '3'],
    ['price', '500'],
    ['has_video_file', id],
  ])
  const [media] = await studio.processedMedia(postId)
  expect(media).toMatchObject({ kind: 'video', state: 'ready' })
  return { id, postId, hls: media?.kind === 'video' ? media.hls : undefined }
}

const urlsIn = (playlist: string) =>
  playlist
    .split('\n')
    .map((line) => /URI="([^"]+)"/.exec(line)?.[1] ?? line)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('?exp=')[0] ?? '')

test('every HLS file of a paid video over a minute is forbidden to a member until the purchase', async () => {
  const { id, postId, hls } = await paidVideo(fixture('h264-65s.mp4'))
  expect(hls).toMatch(new RegExp(`^/api/media/${id}/hls/main.m3u8[?]exp=`))
  const main = await studio.get(defined(hls), studio.creator)
  expect(main.headers['content-type']).toBe('application/vnd.apple.mpegurl')
  expect(urlsIn(main.body)).toEqual(['video.m3u8'])
  const playlist = await studio.file(id, 'hls/video.m3u8', studio.creator)
  const files = ['main.m3u8', 'video.m3u8', ...urlsIn(playlist.body)]
  expect(files.filter((it) => it.endsWith('.m4s')).length).toBeGreaterThanOrEqual(10)
  const statuses = async (as: Studio['fan'] | null) => {
    const replies = await Promise.all(files.map((it) => studio.file(id, `hls/${it}`, as)))
    return [...new Set(replies.map((it) => it.statusCode))]
  }
  expect(await statuses(null)).toEqual([403])
  expect(await statuses(studio.fan)).toEqual([403])
  await addPurchase(world.deps.db, postId, studio.fan.id, 500, world.clock.now)
  expect(await statuses(studio.fan)).toEqual([200])
  const [segmentPath] = /1\.m4s\?\S+/.exec((await studio.file(id, 'hls/video.m3u8', studio.fan)).body) ?? []
  expect(await studio.get(`/api/media/${id}/hls/${segmentPath}`, studio.fan)).toMatchObject({
    statusCode: 200,
  })
  expect((await studio.get(`/api/media/${id}/hls/${segmentPath}`, null)).statusCode).toBe(403)
  const segment = await studio.file(id, 'hls/1.m4s', studio.fan)
  expect(segment.headers).toMatchObject({
    'cache-control': 'private, max-age=300',
    vary: 'Authorization, Cookie',
    'content-type': 'video/mp4',
  })
})

test('a short video has no HLS files, and the HLS path reaches no other file of its folder', async () => {
  const { id, hls } = await paidVideo(fixture('h264.mp4'))
  expect(hls).toBeUndefined()
  for (const name of ['main.m3u8', '1.m4s', 'play.mp4', '..%2fplay.mp4', 'original'])
    expect(errorOf(await studio.file(id, `hls/${name}`, studio.creator)).code).toBe('not_found')
})
