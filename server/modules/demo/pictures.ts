// The demo's files: drawn once each, in their places before any row names them.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { newId } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { paint } from './paint.ts'
import { demoPeople, type PersonKey } from './people.ts'
import { morningSea } from './scenes-water.ts'
import { type DemoPicture, type DemoPost, demoPosts } from './posts.ts'

export interface DemoFile {
  readonly id: string
  readonly owner: PersonKey
  readonly kind: 'image' | 'video'
  readonly mime: string
  readonly filename: string
  readonly length: number
}

export interface DemoFiles {
  readonly ofPosts: ReadonlyMap<DemoPost, readonly DemoFile[]>
  readonly avatars: ReadonlyMap<PersonKey, DemoFile>
  readonly covers: ReadonlyMap<PersonKey, DemoFile>
}

const video = fileURLToPath(new URL('assets/morning-sea.mp4', import.meta.url))
/** Drawings made at the same time. */
const AT_ONCE = 4

/** The video is this scene in motion: its first frame serves where no ffmpeg can take one. */
const videoThumbnail: DemoPicture = { draw: morningSea, crop: { width: 1280, height: 720 } }

type Store = (owner: PersonKey, picture: DemoPicture) => Promise<DemoFile>

function storeIn({ files }: Deps): Store {
  return async (owner, { draw, crop }) => {
    const bytes = await paint(draw(), crop)
    const id = newId()
    const temporary = files.newTemporary()
    await writeFile(temporary, bytes)
    await files.moveDurably(temporary, files.uploadPath(id))
    return { id, owner, kind: 'image', mime: 'image/jpeg', filename: `${id}.jpg`, length: bytes.length }
  }
}

async function storeVideo({ files }: Deps, owner: PersonKey): Promise<DemoFile> {
  const id = newId()
  const temporary = files.newTemporary()
  // A copy would keep the mode of the file in the package, which others may read.
  await writeFile(temporary, await readFile(video))
  await files.moveDurably(temporary, files.uploadPath(id))
  const length = (await files.sizeOf(files.uploadPath(id))) ?? 0
  return { id, owner, kind: 'video', mime: 'video/mp4', filename: 'morning-sea.mp4', length }
}

/** Runs tasks a few at a time and keeps their order. */
async function inTurn<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = []
  let next = 0
  const lane = async () => {
    for (let i = next++; i < tasks.length; i = next++) {
      const task = tasks[i]
      if (task) done[i] = await task()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return done
}

export async function makeDemoFiles(deps: Deps): Promise<DemoFiles> {
  const store = storeIn(deps)
  const ofPosts = new Map<DemoPost, DemoFile[]>()
  const avatars = new Map<PersonKey, DemoFile>()
  const covers = new Map<PersonKey, DemoFile>()
  const tasks: (() => Promise<unknown>)[] = []
  for (const key of Object.keys(demoPeople) as PersonKey[]) {
    const { avatar, cover } = demoPeople[key]
    tasks.push(async () =>
      avatars.set(key, await store(key, { draw: avatar, crop: { width: 480, height: 480 } })),
    )
    const crop = { width: 1200, height: 400 }
    if (cover) tasks.push(async () => covers.set(key, await store(key, { draw: cover, crop })))
  }
  for (const post of demoPosts) {
    const its: DemoFile[] = []
    ofPosts.set(post, its)
    post.pictures?.forEach((picture, i) => {
      tasks.push(async () => void (its[i] = await store(post.author, picture)))
    })
    if (post.video) {
      tasks.push(async () => void (its[0] = await storeVideo(deps, post.author)))
      tasks.push(async () => void (its[1] = await store(post.author, videoThumbnail)))
    }
  }
  await inTurn(tasks)
  return { ofPosts, avatars, covers }
}
