// The posts and messages of /dev/media: reads, publishes and removes them.
import { hideMessage, listMessages, type MessageView, unsendMessage } from '#contract/messages/messages.ts'
import type { MediaView } from '#contract/posts/media.ts'
import { listFollows } from '#contract/people/follows.ts'
import { deletePost } from '#contract/posts/own-posts.ts'
import { listPosts, type PostView } from '#contract/posts/posts.ts'
import { call } from '#src/domain/api/api.ts'
import { sendFile } from '#src/features/messages/gallery/send-file.ts'
import { pickInEditor } from '#src/features/publish/gallery/pick-in-editor.ts'

/** The account that publishes, and the one that receives the messages. */
export interface People {
  readonly ownerId: string
  readonly partner: { readonly id: string; readonly name: string } | undefined
}

/** What the server has of the fixtures, by the names of their files. */
export interface Copies {
  readonly posts: ReadonlyMap<string, PostView>
  readonly messages: ReadonlyMap<string, MessageView>
}

/** The text of the post and of the message with a fixture, by which they are found again. */
const textOf = (file: string): string => `見本 ${file}`
const fileIn = (content: string): string | undefined => /^見本 (\S+)$/.exec(content)?.[1]

/** The first follower: whom a creator may write to without a request. */
export async function findPartner(ownerId: string): Promise<People['partner']> {
  const params = { user_id: ownerId, list: 'followers' as const }
  return (await call(listFollows, { params, query: {} })).people[0]
}

async function readPosts(ownerId: string): Promise<Map<string, PostView>> {
  const found = new Map<string, PostView>()
  let cursor: string | null | undefined
  do {
    const page = await call(listPosts, { query: { author: ownerId, ...(cursor && { cursor }) } })
    for (const it of page.posts) {
      const file = it.access.is === 'full' ? fileIn(it.access.content) : undefined
      if (file !== undefined && !found.has(file)) found.set(file, it)
    }
    cursor = page.next
  } while (cursor !== null)
  return found
}

async function readMessages({ ownerId, partner }: People): Promise<Map<string, MessageView>> {
  const found = new Map<string, MessageView>()
  if (!partner) return found
  for (let before: string | undefined, more = true; more;) {
    const page = await call(listMessages, {
      params: { user_id: partner.id },
      query: before === undefined ? {} : { before },
    })
    for (const it of page.messages.toReversed()) {
      const file = it.sender_id === ownerId && it.body.is === 'text' ? fileIn(it.body.content) : undefined
      if (file !== undefined && !found.has(file)) found.set(file, it)
    }
    more = page.has_before && page.messages.length > 0
    before = String(page.messages[0]?.seq)
  }
  return found
}

export async function readCopies(people: People): Promise<Copies> {
  const [posts, messages] = await Promise.all([readPosts(people.ownerId), readMessages(people)])
  return { posts, messages }
}

export const mediaOfPost = ({ access }: PostView): readonly MediaView[] =>
  access.is === 'full' ? access.media : []
export const mediaOfMessage = ({ body }: MessageView): readonly MediaView[] =>
  body.is === 'text' ? body.media : []

/** Whether the server is making one of the copies. */
export function isMaking({ posts, messages }: Copies): boolean {
  const media = [
    ...[...posts.values()].map(mediaOfPost),
    ...[...messages.values()].map(mediaOfMessage),
  ].flat()
  return media.some((it) => it.state === 'processing')
}

/** Publishes and sends a file, unless the server has it already. Delivered by the queue afterwards. */
export async function publishCopies({ ownerId, partner }: People, file: File, there: Copies): Promise<void> {
  const text = textOf(file.name)
  if (!there.posts.has(file.name)) await pickInEditor(ownerId, file, text)
  if (partner && !there.messages.has(file.name))
    await sendFile({ ownerId, recipientId: partner.id }, file, text)
}

/** Deletes the posts, and takes the messages back. */
export async function removeCopies({ posts, messages }: Copies): Promise<void> {
  for (const { id } of posts.values()) await call(deletePost, { params: { post_id: id } })
  for (const { id } of messages.values()) {
    await call(unsendMessage, { params: { message_id: id } })
    await call(hideMessage, { params: { message_id: id } })
  }
}
