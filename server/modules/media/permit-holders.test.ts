// Permission to read files of reported posts, messages and notices.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { open, placeMedia, priced } from '#server/testing/media/placed.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { sentMediaIn } from '#server/testing/messages/media.ts'
import { deskIn } from '#server/testing/moderation/desk.ts'
import { errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { type Field, openStudio, type Studio } from '#server/testing/people/studio.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let studio: Studio
let moderator: Member
let finance: Member
const desk = deskIn(() => world)
const chat = chatIn(() => world)
const sent = sentMediaIn(() => world)
beforeAll(async () => {
  world = await openWorld()
  studio = await openStudio(world)
  moderator = await desk.staff('moderator')
  finance = await desk.staff('finance')
})
afterAll(() => world.close())

const REVALIDATED = 'private, no-cache'
const OPEN = 'public, max-age=31536000, s-maxage=60, immutable'
const picture = (fields: readonly Field[], released = true) =>
  placeMedia(world, studio, fields, {
    files: ['w480.webp', 'blurred.webp'],
    widths: [480],
    picture: true,
    released,
  })
const run = (statement: string, ...values: unknown[]) => world.database.executeSql(statement, values)
const openCase = (postId: string) => desk.open(moderator, 'post', postId)

/** What a viewer receives for each variant: the `cache-control` of the file, or the error code. */
async function outcomesFor(id: string, as: Member | null): Promise<unknown[]> {
  const replies = ['w480', 'blurred', 'original'].map((it) => studio.file(id, it, as))
  return (await Promise.all(replies)).map((it) =>
    it.statusCode === 200 ? it.headers['cache-control'] : errorOf(it).code,
  )
}
const notFound = ['not_found', 'not_found', 'not_found']
const shown = [REVALIDATED, REVALIDATED]

describe('the picture of a reported post', () => {
  test('is for staff who review it, except its original, and not before the report', async () => {
    const { id, postId } = await picture(priced)
    expect(await outcomesFor(id, moderator)).toEqual(['forbidden', 'private, max-age=300', 'forbidden'])
    expect((await openCase(postId)).statusCode).toBe(200)
    expect(await outcomesFor(id, moderator)).toEqual([...shown, 'forbidden'])
    for (const as of [finance, studio.fan])
      expect(await outcomesFor(id, as)).toEqual(['forbidden', 'private, max-age=300', 'forbidden'])
    expect(await outcomesFor(id, null)).toEqual(['forbidden', 'forbidden', 'forbidden'])
  })

  test('that was deleted is for staff who review it, and hidden from every other viewer', async () => {
    const { id, postId } = await picture(open)
    expect((await openCase(postId)).statusCode).toBe(200)
    expect(await outcomesFor(id, moderator)).toEqual([OPEN, OPEN, 'forbidden'])
    await run('update posts set deleted_at = now() where id = $1', postId)
    expect(await outcomesFor(id, moderator)).toEqual([...shown, 'not_found'])
    for (const as of [finance, studio.fan, studio.creator, null])
      expect(await outcomesFor(id, as)).toEqual(notFound)
  })
})

test('the picture of a message is for both people, its original for the sender, and no cache stores it', async () => {
  const { creator: sender, fan: recipient } = studio
  await chat.follow(recipient, sender)
  const id = await sent.picture(sender)
  await chat.write(sender, recipient, '', { media: [id] })
  await sent.setMade(id, 'image')
  expect(await outcomesFor(id, sender)).toEqual([...shown, REVALIDATED])
  expect(await outcomesFor(id, recipient)).toEqual([...shown, 'forbidden'])
  for (const as of [moderator, await signUp(world), null]) expect(await outcomesFor(id, as)).toEqual(notFound)
})

test('the picture of a notice is for its staff until it is published, and its original for no person', async () => {
  const { id } = await picture(open)
  await run('delete from post_media where media_id = $1', id)
  const notice = newId()
  await run(
    `insert into notices (id, title, body, content, state, audience, pushes, mails, is_advertising, is_urgent, picture_id,
      created_at) values ($1, '休業', '本文', '[]', 'draft', 'all', false, false, false, false, $2, now())`,
    notice,
    id,
  )
  expect(await outcomesFor(id, moderator)).toEqual([...shown, 'forbidden'])
  for (const as of [finance, studio.fan, null])
    expect(await outcomesFor(id, as)).toEqual(['not_found', 'not_found', 'forbidden'])
  await run(`update notices set state = 'published' where id = $1`, notice)
  for (const as of [moderator, studio.fan, null])
    expect(await outcomesFor(id, as)).toEqual([OPEN, OPEN, 'forbidden'])
})
