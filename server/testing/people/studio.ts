// A creator who adds posts with pictures and videos, for tests of media.
import { vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { MediaView } from '#contract/posts/media.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { makeMedia } from '#server/modules/media/make.ts'
import { signedAddresses } from '#server/services/media/addresses.ts'
import {
  addPost,
  call,
  identify,
  type FormValue,
  type Member,
  postIdOf,
  type Reply,
  signUp,
  upload,
} from './members.ts'
import { jobsDone } from '#server/testing/jobs.ts'
import type { World } from '#server/testing/world.ts'

export type Field = readonly [string, FormValue]

export interface Studio {
  readonly creator: Member
  readonly fan: Member
  /** Adds a post of the creator and, by default, releases it. */
  post(fields: readonly Field[], released?: boolean): Promise<string>
  view(postId: string, as: Member | null): Promise<PostView>
  /** The post's media once none is being converted. */
  processedMedia(postId: string): Promise<MediaView[]>
  /** Converts a file now, on a server that runs no jobs. */
  make(mediaId: string): Promise<unknown>
  /** Uploads a picture. @returns its form field and its id */
  image(bytes: Buffer, name: string): Promise<[Field, string]>
  get(
    path: string,
    as: Member | null,
    headers?: Record<string, string>,
    method?: 'GET' | 'HEAD',
  ): Promise<Reply>
  /** URL of a file for this viewer, signed by the server's own key even without access. */
  addressOf: (mediaId: string, file: string, as: Member | null) => string
  file(mediaId: string, variant: string, as: Member | null): Promise<Reply>
}

export async function openStudio(world: World): Promise<Studio> {
  const [creator, fan] = [await identify(world, await signUp(world)), await signUp(world)]
  const view = async (id: string, as: Member | null) =>
    (await call(world, as, 'GET', `/posts/${id}`)).json<PostView>()
  const mediaOf = async (id: string) => {
    const { access } = await view(id, creator)
    return access.is === 'full' ? access.media : []
  }
  const get: Studio['get'] = (path, as, headers = {}, method = 'GET') =>
    world.app.inject({ method, url: path, headers: { ...as?.auth, ...headers } })
  const addressOf = (id: string, file: string, as: Member | null) =>
    signedAddresses(world.deps.secrets, as?.id ?? null, world.clock.now)(id, file)
  return {
    creator,
    fan,
    view,
    get,
    addressOf,
    file: (id, variant, as) => get(addressOf(id, variant, as), as),
    async post(fields, released = true) {
      const hasContent = fields.some(([name]) => name === 'content')
      const all = hasContent ? fields : [['content', '写真です'] as const, ...fields]
      const id = postIdOf(await addPost(world, creator, all, newId()))
      if (!released) return id
      await call(world, creator, 'POST', `/post/release-uploaded/${id}`)
      // The job converts failed media again, which a test would mistake for its own retry.
      await jobsDone(world, 'post.released')
      return id
    },
    async processedMedia(id) {
      const done = async () => (await mediaOf(id)).every((it) => it.state !== 'processing')
      await vi.waitUntil(done, { timeout: 60_000, interval: 50 })
      return mediaOf(id)
    },
    make: (mediaId) => makeMedia(world.deps, mediaId),
    async image(bytes, name) {
      const id = await upload(world, creator, bytes, name)
      return [['has_image_file[]', id], id]
    },
  }
}
