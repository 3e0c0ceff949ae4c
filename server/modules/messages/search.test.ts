// Search in messages: only what the viewer sees, by words, person, writer, day and parts.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chatIn, contentOf, outcomeOf } from '#server/testing/messages/chat.ts'
import { sentMediaIn } from '#server/testing/messages/media.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { indexMissingIn } from '#server/testing/jobs.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('search in messages', () => {
    let world: World
    let me: Member
    let other: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    const chat = chatIn(() => world)
    const sent = sentMediaIn(() => world)
    beforeEach(async () => {
      ;[me, other] = [await signUp(world), await signUp(world)]
      await chat.follow(me, other)
      await chat.follow(other, me)
    })
    const search = (as: Member | null, q: string, more = '') =>
      call(world, as, 'GET', `/messages/search?q=${encodeURIComponent(q)}${more}`)
    const found = async (as: Member, q: string, more = '') =>
      (await search(as, q, more)).json().hits.map((it: { message: never }) => contentOf(it.message))

    test('finds the words in both people’s messages, newest first, in every spelling of the kana', async () => {
      await chat.write(me, other, 'ライブのチケット')
      await chat.write(other, me, 'らいぶ、楽しみです')
      await chat.write(me, other, 'べつの話')
      const both = ['らいぶ、楽しみです', 'ライブのチケット']
      expect([await found(me, 'ﾗｲﾌﾞ'), await found(other, 'らいぶ')]).toEqual([both, both])
      expect(await found(me, 'ライブ チケット')).toEqual(['ライブのチケット'])
      expect(await found(me, 'コンサート')).toEqual([])
    })

    test('finds nothing of other people’s conversations', async () => {
      const third = await signUp(world)
      await chat.write(me, other, '二人だけの秘密')
      expect(await found(third, '二人だけの秘密')).toEqual([])
      expect(outcomeOf(await search(null, '秘密'))).toBe('unauthenticated')
    })

    test('finds nothing that is unsent, deleted for oneself or cleared, and the other person still finds it', async () => {
      const unsent = await chat.write(me, other, '取り消す言葉')
      const hidden = await chat.write(me, other, '隠す言葉')
      await chat.unsend(me, unsent.id)
      await chat.hide(me, hidden.id)
      expect([await found(me, '言葉'), await found(other, '言葉')]).toEqual([[], ['隠す言葉']])
      await chat.clear(other, me)
      await chat.write(me, other, '新しい言葉')
      expect(await found(other, '言葉')).toEqual(['新しい言葉'])
    })

    test('finds nothing with a blocked person in either direction, and again after the block', async () => {
      await chat.write(me, other, '塞がれる言葉')
      await call(world, other, 'PUT', `/blocks/${me.id}`)
      expect([await found(me, '塞がれる'), await found(other, '塞がれる')]).toEqual([[], []])
      await call(world, other, 'DELETE', `/blocks/${me.id}`)
      expect(await found(me, '塞がれる')).toEqual(['塞がれる言葉'])
    })

    test('finds a message of a declined request for its sender alone', async () => {
      const stranger = await signUp(world)
      await chat.write(stranger, me, 'はじめの勧誘')
      await chat.answer(me, stranger, 'decline')
      await chat.write(stranger, me, 'つぎの勧誘')
      expect(await found(stranger, '勧誘')).toEqual(['つぎの勧誘', 'はじめの勧誘'])
      expect(await found(me, '勧誘')).toEqual(['はじめの勧誘'])
    })

    test('is limited to a person, a writer, days in Tokyo and messages with a link', async () => {
      const third = await signUp(world)
      await chat.follow(third, me)
      world.clock.now = Date.parse('2026-11-25T14:59:59Z')
      await chat.write(me, other, '駅で待つ https://example.com')
      world.clock.now += 1000
      await chat.write(other, me, '駅に着いた')
      await chat.write(me, third, '駅はどこ')
      expect(await found(me, '駅', `&user_id=${other.id}`)).toEqual([
        '駅に着いた',
        '駅で待つ https://example.com',
      ])
      expect(await found(me, '駅', '&from=other')).toEqual(['駅に着いた'])
      expect(await found(me, '駅', `&from=me&user_id=${third.id}`)).toEqual(['駅はどこ'])
      expect(await found(me, '駅', '&has=link')).toEqual(['駅で待つ https://example.com'])
      expect(await found(me, '駅', '&until=2026-11-25')).toEqual(['駅で待つ https://example.com'])
      expect(await found(me, '駅', '&since=2026-11-26&from=other')).toEqual(['駅に着いた'])
      expect(outcomeOf(await search(me, '駅', '&since=2026-02-30'))).toBe('invalid')
    })

    test('is limited to messages with an image, for both people, also when they are indexed later', async () => {
      await chat.write(me, other, '海の写真です', { media: [await sent.picture(me)] })
      await chat.write(me, other, '海へ行きました')
      const both = async (more: string) => [await found(me, '海', more), await found(other, '海', more)]
      expect(await both('&has=image')).toEqual([['海の写真です'], ['海の写真です']])
      expect(await both('&has=video')).toEqual([[], []])
      await world.database.executeSql('delete from message_search')
      await indexMissingIn(world)
      expect(await both('&has=image')).toEqual([['海の写真です'], ['海の写真です']])
    })

    test('a single letter is not found in what the index has besides the text', async () => {
      for (const content of ['今日の話', 'unit', 'cafe', 'from', 'has']) await chat.write(me, other, content)
      expect([await found(me, 'u'), await found(me, 'c'), await found(me, 'h')]).toEqual([
        ['unit'],
        ['cafe'],
        ['has'],
      ])
      expect(await found(me, 'f')).toEqual(['from', 'cafe'])
    })

    test('has every hit once over several pages', async () => {
      for (let n = 1; n <= 45; n++) await chat.write(n % 2 ? me : other, n % 2 ? other : me, `${n}番の花`)
      const seen: string[] = []
      let cursor = ''
      for (let page = 0; page < 4; page++) {
        const reply = (await search(me, '番の花', cursor)).json()
        seen.push(...reply.hits.map((it: { message: never }) => contentOf(it.message)))
        if (reply.next === null) break
        cursor = `&cursor=${encodeURIComponent(reply.next)}`
      }
      expect(seen).toEqual(Array.from({ length: 45 }, (_, n) => `${45 - n}番の花`))
    })

    test('messages without entries, of an earlier version, are indexed for the people who see them', async () => {
      const hidden = await chat.write(me, other, '昔の言葉')
      await chat.hide(me, hidden.id)
      await world.database.executeSql('delete from message_search')
      await indexMissingIn(world)
      expect([await found(me, '昔'), await found(other, '昔')]).toEqual([[], ['昔の言葉']])
    })

    test('entries of an earlier folding are made again for the people who see the messages', async () => {
      await chat.write(me, other, '渡邉さんへ')
      const hidden = await chat.write(me, other, '渡邊さんから')
      await chat.hide(me, hidden.id)
      await world.database.executeSql(`update message_search set folding = 1, folded = '', grams = ''`)
      await indexMissingIn(world)
      expect([await found(me, '渡辺'), await found(other, '渡辺')]).toEqual([
        ['渡邉さんへ'],
        ['渡邊さんから', '渡邉さんへ'],
      ])
    })
  })
})
