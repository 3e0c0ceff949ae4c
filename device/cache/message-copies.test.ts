// Copies of conversations: the newest 200 messages, and older ones only where nothing is missing.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase } from '#device/database/database.ts'
import { saveSession } from '#device/session/session.ts'
import { message, messagePage, range } from '#device/testing/messages.ts'
import { newUser } from '#device/testing/user.ts'
import { copyKey, copyOf, COPIED_MESSAGES, newestPage, readCopy, withOlder } from './message-copies.ts'
import { saveResponse } from './responses.ts'

const seqs = (page: { messages: readonly { seq: number }[] }) => page.messages.map((it) => it.seq)

describe('the newest messages of pages', () => {
  test('are at most 200, and the page says that there are more', () => {
    const page = newestPage([messagePage(range(1, 150)), messagePage(range(151, 260))])
    expect(seqs(page)).toEqual(range(61, 260))
    expect(page.messages).toHaveLength(COPIED_MESSAGES)
    expect(page.has_before).toBe(true)
  })

  test('are each once, as they were changed last', () => {
    const [before, changed] = [message(2, 2, '前'), message(2, 9, '後')]
    const page = newestPage([
      messagePage([], { messages: [message(1), changed] }),
      messagePage([], { messages: [before, message(3)] }),
    ])
    expect(page.messages).toEqual([message(1), changed, message(3)])
    expect(page.has_before).toBe(false)
  })

  test('are in their order, wherever a page has them, and end where the last page ends', () => {
    const [first, last] = [messagePage([], { messages: [message(3), message(1)] }), messagePage([2])]
    expect(seqs(newestPage([first, last]))).toEqual([1, 2, 3])
    expect(newestPage([first, last]).has_after).toBe(false)
    expect(newestPage([last, { ...first, has_after: true }]).has_after).toBe(true)
    expect(newestPage([{ ...last, has_after: true }]).has_after).toBe(true)
  })

  test('are as the later page has them where both have the same change', () => {
    const [early, late] = [message(1, 5, '先'), message(1, 5, '後')]
    const pages = [messagePage([], { messages: [early] }), messagePage([], { messages: [late] })] as const
    expect(newestPage(pages).messages).toEqual([late])
  })

  test('have every change up to the lowest number of their pages', () => {
    const page = newestPage([
      messagePage([1], { last_change: 7, last_deletion: 3 }),
      messagePage([2], { last_change: 9, last_deletion: 1 }),
    ])
    expect(page).toMatchObject({ last_change: 7, last_deletion: 1 })
  })
})

describe('messages of a former copy', () => {
  const newest = messagePage(range(51, 100), { has_before: true, last_change: 120 })

  test('stay before the newest ones that were read', () => {
    const former = messagePage(range(1, 60), { last_change: 80 })
    const page = withOlder(newest, former)
    expect(seqs(page)).toEqual(range(1, 100))
    // What changed before 51 since change 80 is not known.
    expect(page).toMatchObject({ has_before: false, has_after: false, last_change: 80 })
  })

  test('that adjoin the newest ones stay', () => {
    expect(seqs(withOlder(newest, messagePage(range(41, 50), { has_before: true })))).toEqual(range(41, 100))
  })

  test('are left out where messages between are missing', () => {
    expect(withOlder(newest, messagePage(range(1, 49)))).toBe(newest)
  })

  test('are left out where the newest page has all messages: the others were deleted', () => {
    const whole = messagePage(range(51, 100))
    expect(withOlder(whole, messagePage(range(1, 60)))).toBe(whole)
  })

  test('are left out where there are none before the newest ones, or nothing to put them before', () => {
    expect(withOlder(newest, messagePage(range(51, 60)))).toBe(newest)
    expect(withOlder(newest, messagePage([]))).toBe(newest)
    expect(withOlder(newest, undefined)).toBe(newest)
    const empty = messagePage([], { has_before: true })
    expect(withOlder(empty, messagePage(range(1, 60)))).toBe(empty)
  })
})

describe('a stored copy', () => {
  afterEach(async () => {
    await closeDatabase()
    await deleteDB('todoke')
  })

  test('is read with the time of its confirmation, and not when its row has another form', async () => {
    const [me, person, NOW] = [newUser('葵'), newId(), Date.now()]
    await saveSession({ token: 'a', user: me })
    const page = messagePage(range(1, 3))
    const save = (value: unknown) => saveResponse({ ownerId: me.id, key: copyKey(person), value, at: NOW })
    expect(await readCopy(me.id, person)).toBeUndefined()
    // A list needs as many cursors as pages.
    expect(copyOf(page)).toEqual({ pages: [page], pageParams: [null] })
    await save(copyOf(page))
    expect(await readCopy(me.id, person)).toEqual({ page, at: NOW })
    expect(await readCopy(me.id, newId())).toBeUndefined()
    await save({ pages: [], pageParams: [] })
    expect(await readCopy(me.id, person)).toBeUndefined()
  })
})
