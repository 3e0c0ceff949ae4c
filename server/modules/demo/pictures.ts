// Creates the files of the demo, before any row refers to them.
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
/** Files made at the same time. */
const CONCURRENCY = 4

/** The thumbnail of the video, whose scene it shows: without ffmpeg the server cannot extract a frame. */
const videoThumbnail: DemoPicture = { draw: morningSea, crop: { width: 1280, height: 720 } }

type StorePicture = (owner: PersonKey, picture: DemoPicture) => Promise<DemoFile>

function createPictureStore({ storage: { objects, scratch } }: Deps): StorePicture {
  return async (owner, { draw, crop }) => {
    const bytes = await paint(draw(), crop)
    const id = newId()
    const temporary = scratch.newPath()
    await writeFile(temporary, bytes)
    await objects.put(`uploads/${id}`, temporary)
    return { id, owner, kind: 'image', mime: 'image/jpeg', filename: `${id}.jpg`, length: bytes.length }
  }
}

async function storeVideo({ storage: { objects, scratch } }: Deps, owner: PersonKey): Promise<DemoFile> {
  const id = newId()
  const temporary = scratch.newPath()
  // A copy would have the mode of the file in the package, which other users of the machine may read.
  await writeFile(temporary, await readFile(video))
  await objects.put(`uploads/${id}`, temporary)
  const length = (await objects.sizeOf(`uploads/${id}`)) ?? 0
  return { id, owner, kind: 'video', mime: 'video/mp4', filename: 'morning-sea.mp4', length }
}

/** Runs at most `CONCURRENCY` tasks at a time. @returns their results, in the order of the tasks */
async function runLimited<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const worker = async () => {
    for (let i = next++; i < tasks.length; i = next++) {
      const task = tasks[i]
      if (task) results[i] = await task()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return results
}

export async function makeDemoFiles(deps: Deps): Promise<DemoFiles> {
  const storePicture = createPictureStore(deps)
  const ofPosts = new Map<DemoPost, DemoFile[]>()
  const avatars = new Map<PersonKey, DemoFile>()
  const covers = new Map<PersonKey, DemoFile>()
  const tasks: (() => Promise<unknown>)[] = []
  for (const key of Object.keys(demoPeople) as PersonKey[]) {
    const { avatar, cover } = demoPeople[key]
    tasks.push(async () =>
      avatars.set(key, await storePicture(key, { draw: avatar, crop: { width: 480, height: 480 } })),
    )
    const crop = { width: 1200, height: 400 }
    if (cover) tasks.push(async () => covers.set(key, await storePicture(key, { draw: cover, crop })))
  }
  for (const post of demoPosts) {
    const files: DemoFile[] = []
    ofPosts.set(post, files)
    post.pictures?.forEach((picture, i) => {
      tasks.push(async () => void (files[i] = await storePicture(post.author, picture)))
    })
    if (post.video) {
      tasks.push(async () => void (files[0] = await storeVideo(deps, post.author)))
      tasks.push(async () => void (files[1] = await storePicture(post.author, videoThumbnail)))
    }
  }
  await runLimited(tasks)
  return { ofPosts, avatars, covers }
}
