// Until when cached content may be shown: gated content expires, everything else stays.
import { describe, expect, test } from 'vitest'
import { accessEndOf, hasGatedContent, UNCONFIRMED_MS, withoutExpired } from './access-expiry.ts'

const ME = 'me'
const AT = Date.parse('2026-03-05T03:30:00Z')
const DAY = 24 * 3600 * 1000
const iso = (ms: number) => new Date(ms).toISOString()

interface Given {
  readonly id?: string
  readonly type?: number
  readonly author?: string
  readonly is?: string
  readonly until?: string
}

/** A post as the server sends it; the usual one is of another author, for a plan, and shown in full. */
const post = ({ id = 'p', type = 2, author = 'them', is = 'full', until }: Given = {}) => ({
  id,
  type,
  author: { id: author },
  access: until === undefined ? { is } : { is, until },
})

describe('the end of access', () => {
  test.each([
    ['a post for all', post({ type: 1 })],
    ['an own post', post({ author: ME })],
    ['a preview', post({ is: 'preview' })],
    ['a reply without posts', { posts: [] }],
    ['no object', 'text'],
    ['nothing', null],
    ['pages that are no list', { pages: 'x' }],
    ['posts that are no list', { posts: 'x' }],
    ['what is not of the form of a post', { ...post(), author: null }],
  ])('of %s there is none', (_what, data) => {
    expect(accessEndOf(data, ME, AT)).toBeUndefined()
    expect(hasGatedContent(data, ME)).toBe(false)
  })

  test.each([
    ['without a date', undefined, AT + UNCONFIRMED_MS],
    ['with a date before the three days', iso(AT + DAY), AT + DAY],
    ['with a date after the three days', iso(AT + 9 * DAY), AT + UNCONFIRMED_MS],
    ['with a date that cannot be read', 'soon', AT + UNCONFIRMED_MS],
  ])('%s is the date, and three days at most', (_what, until, end) => {
    expect(UNCONFIRMED_MS).toBe(3 * DAY)
    const it = until === undefined ? post() : post({ until })
    expect(accessEndOf(it, ME, AT)).toBe(end)
    expect(hasGatedContent(it, ME)).toBe(true)
  })

  test('of a list is the earliest end among its posts, on any page', () => {
    const list = {
      pages: [
        { posts: [post({ type: 1 }), post({ until: iso(AT + 2 * DAY) })] },
        { posts: [post({ type: 3, until: iso(AT + DAY) })] },
      ],
    }
    expect(accessEndOf(list, ME, AT)).toBe(AT + DAY)
    expect(accessEndOf({ pages: 'x', posts: [post({ until: iso(AT + DAY) })] }, ME, AT)).toBe(AT + DAY)
    expect(hasGatedContent(list, ME)).toBe(true)
  })
})

describe('unexpired content', () => {
  const over = post({ id: 'over', until: iso(AT + DAY) })
  const open = post({ id: 'open', type: 1 })

  test('has a post until its access ends, and not at that moment', () => {
    expect(withoutExpired(over, ME, AT, AT + DAY - 1)).toEqual({ data: over, over: [] })
    expect(withoutExpired(over, ME, AT, AT + DAY)).toEqual({ data: undefined, over: ['over'] })
  })

  test('has a list without its expired posts and otherwise unchanged', () => {
    const list = { posts: [open, over], next: 'cursor' }
    expect(withoutExpired(list, ME, AT, AT + DAY)).toEqual({
      data: { posts: [open], next: 'cursor' },
      over: ['over'],
    })
    const pages = { pages: [{ posts: [over] }, null, 'text', { posts: [open] }], pageParams: [1, 2] }
    expect(withoutExpired(pages, ME, AT, AT + DAY)).toEqual({
      data: { pages: [{ posts: [] }, null, 'text', { posts: [open] }], pageParams: [1, 2] },
      over: ['over'],
    })
  })

  test('is read from the field that is a list, whatever else has the name of a list', () => {
    const odd = { pages: 'x', posts: [over, open] }
    expect(withoutExpired(odd, ME, AT, AT + DAY)).toEqual({
      data: { pages: 'x', posts: [open] },
      over: ['over'],
    })
    const odder = { pages: [{ posts: 'x' }, { posts: [over] }] }
    expect(withoutExpired(odder, ME, AT, AT + DAY).data).toEqual({ pages: [{ posts: 'x' }, { posts: [] }] })
  })

  test('is the same object where no post has gated content, whatever the time', () => {
    const list = { posts: [open, post({ author: ME })] }
    expect(withoutExpired(list, ME, AT, Number.POSITIVE_INFINITY).data).toBe(list)
  })

  test('has no gated content at all when the time is infinite', () => {
    expect(withoutExpired({ posts: [open, post()] }, ME, AT, Number.POSITIVE_INFINITY)).toEqual({
      data: { posts: [open] },
      over: ['p'],
    })
  })
})
