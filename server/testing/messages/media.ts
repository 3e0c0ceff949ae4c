// Pictures and videos for messages, whose made files the test writes itself.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PLAYLIST } from '#server/testing/media/placed.ts'
import { type Member, upload } from '#server/testing/people/members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { type World, storedAt } from '#server/testing/world.ts'

export type SentKind = 'image' | 'video'

/** Every file of a media, as its address names it. */
export const filesOfSent: Record<SentKind, readonly string[]> = {
  image: ['w240', 'w480', 'blurred', 'original'],
  video: [
    'play',
    'poster',
    'blurred',
    'original',
    'hls/main.m3u8',
    'hls/video.m3u8',
    'hls/480p.m3u8',
    'hls/init.mp4',
    'hls/1.m4s',
    'hls/480p-init.mp4',
    'hls/480p-1.m4s',
  ],
}

const onDisk: Record<string, string> = { play: 'play.mp4' }
const nameOf = (file: string) => onDisk[file] ?? (file.includes('.') ? file : `${file}.webp`)

/** Uploads of one test server for messages. */
export function sentMediaIn(world: () => World) {
  const picture = async (as: Member) => upload(world(), as, await jpeg(), 'a.jpg')
  const video = (as: Member) => upload(world(), as, fixture('h264.mp4'), 'a.mp4')
  async function setMade(id: string, kind: SentKind): Promise<void> {
    const folder = storedAt(world(), 'media', id)
    for (const file of filesOfSent[kind].filter((it) => it !== 'original')) {
      const name = path.join(folder, nameOf(file))
      await mkdir(path.dirname(name), { recursive: true })
      await writeFile(name, file.endsWith('.m3u8') ? PLAYLIST : file)
    }
    const made =
      kind === 'image' ? { widths: [240, 480], blurred: true } : { widths: [], poster: true, hls: true }
    await world().database.executeSql(`update media set state = 'ready', made = $2 where id = $1`, [
      id,
      JSON.stringify(made),
    ])
  }
  return {
    picture,
    video,
    pictures: async (as: Member, count: number): Promise<string[]> => {
      const ids = []
      for (let n = 0; n < count; n++) ids.push(await picture(as))
      return ids
    },
    /** Writes every file that the job makes, and makes the media ready. */
    setMade,
  }
}
