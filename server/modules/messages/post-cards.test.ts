// Cards of posts in messages: every viewer of the access table with every post.
import { beforeAll, describe, expect, test } from 'vitest'
import type { MessageView } from '#contract/messages/messages.ts'
import { defined } from '#contract/testing/defined.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { listedCellOf, columns, type ViewerName, viewerNames } from '#server/testing/people/access-table.ts'
import { exportOf } from '#server/testing/people/exported.ts'
import { call, type Member } from '#server/testing/people/members.ts'
import { openViewers, type Viewers } from '#server/testing/people/viewers.ts'
import { databases } from '#server/testing/world.ts'

const WORD = 'あいことば'
/** Who cannot have messages with the author, or signs in with nothing. */
const without: ReadonlySet<ViewerName> = new Set([
  'visitor',
  'author',
  'suspended',
  'blockedMember',
  'blocked',
  'blocker',
])
const readers = viewerNames.filter((it) => !without.has(it))

let viewers: Viewers
const chat = chatIn(() => viewers.world)

/** Sends every post to a person; those that cannot be attached are put into the row. @returns ids of the messages */
async function sendAll(author: Member, to: Member): Promise<Map<string, string>> {
  const sent = new Map<string, string>()
  for (const name of columns) {
    const canAttach = name !== 'draft' && name !== 'deleted'
    const post = canAttach ? name : 'open'
    const { id } = await chat.write(author, to, `${WORD} ${name}`, {
      post_id: viewers.gallery.posts[post].id,
    })
    if (!canAttach)
      await viewers.world.database.executeSql('update messages set post_id = $2 where id = $1', [
        id,
        viewers.gallery.posts[name].id,
      ])
    sent.set(id, name)
  }
  return sent
}

/** @returns how many cards it has checked */
async function expectCards(name: ViewerName): Promise<number> {
  const { studio, world, gallery } = viewers
  const reader = viewers.memberOf(name)
  if (!reader) throw new Error(`no member ${name}`)
  const author = studio.creator
  await chat.write(reader, author)
  const sent = await sendAll(author, reader)
  const replies = {
    messages: await call(world, reader, 'GET', `/conversations/${author.id}/messages`),
    changes: await call(world, reader, 'GET', `/conversations/${author.id}/changes?after=0`),
    list: await call(world, reader, 'GET', '/conversations'),
    search: await call(world, reader, 'GET', `/messages/search?q=${encodeURIComponent(WORD)}`),
    reaction: await chat.react(reader, defined([...sent.keys()][2])),
  }
  for (const [reply, { statusCode, body }] of Object.entries(replies)) {
    expect([reply, statusCode]).toEqual([reply, 200])
    for (const post of columns)
      for (const word of gallery.posts[post].words)
        // Of open posts the excerpt alone is shown; of others no text is, since devices keep messages.
        if (post.replace('18', '') !== 'open' || listedCellOf(name, post) !== 'all' || word.includes('説明'))
          expect([reply, name, post, body.includes(word)]).toEqual([reply, name, post, false])
    expect(body).not.toContain('/original')
  }
  const { messages } = replies.messages.json<{ messages: MessageView[] }>()
  for (const it of messages.filter((one) => sent.has(one.id)))
    await expectCard(name, reader, defined(sent.get(it.id)), it)
  return sent.size
}

async function expectCard(
  name: ViewerName,
  reader: Member,
  sentPost: string,
  { body }: MessageView,
): Promise<void> {
  const post = columns.find((it) => it === sentPost) ?? 'draft'
  const card = body.is === 'text' ? body.post : null
  if (!card || card.is === 'requested') throw new Error(`${name} has no card of ${post}`)
  const shown = card.is === 'preview' ? card.wants : { full: 'all', none: '-' }[card.is]
  expect([name, post, shown]).toEqual([name, post, listedCellOf(name, post)])
  if (card.is === 'none') return expect(Object.keys(card)).toEqual(['is'])
  const address = card.is === 'full' ? card.picture : card.blurred_url
  expect(address).toContain(viewers.gallery.posts[post].mediaId)
  if (card.is === 'preview') {
    expect(address).toContain('/blurred?')
    expect(card.price).toBe(card.wants === 'purchase' ? 500 : null)
  }
  expect([name, post, await viewers.statusAt(defined(address), reader)]).toEqual([name, post, 200])
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('cards of posts', () => {
    beforeAll(async () => {
      viewers = await openViewers(kind)
      return () => viewers.close()
    }, 60_000)

    test(
      'show each viewer what the access policy decides, in every reply',
      { timeout: 120_000 },
      async () => {
        let cards = 0
        for (const name of readers) cards += await expectCards(name)
        expect(cards).toBe(readers.length * columns.length)
      },
    )

    test('are in the data export by the page of the post alone', async () => {
      const { world, studio, gallery } = viewers
      const reader = viewers.memberOf('member')
      if (!reader) throw new Error('no member')
      await chat.send(studio.creator, reader, { post_id: gallery.posts.priced.id })
      const file = (await exportOf(world, reader)).find((it) => it.name === 'messages.json')
      const text = defined(file?.bytes.toString())
      expect(text).toContain(`"post": "/post/${gallery.posts.priced.id}"`)
      for (const word of gallery.posts.priced.words) expect(text).not.toContain(word)
    })
  })
})
