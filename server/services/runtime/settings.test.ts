// Settings at runtime: known values, defaults, and a dead database.
import { expect, test } from 'vitest'
import type { SettingName } from '#contract/administration/runtime-names.ts'
import { noLimits, usualLimits } from '#server/http/limits.ts'
import type { Db } from '#server/store/database.ts'
import { barAt } from './bar.ts'
import { createRuntime, FRESH, usualValues, valuesOf } from './settings.ts'

const GiB = 1024 ** 3
const settings = { limits: usualLimits, uploadsPerPerson: { count: 7, bytes: 1, stored: 3 * GiB } }

function opened(first: readonly (readonly [SettingName, unknown])[] = []) {
  const store = { values: new Map(first), reads: 0, now: 0, mode: 'replies' as 'replies' | 'fails' | 'hangs' }
  const runtime = createRuntime({
    db: {} as Db,
    settings,
    elapsed: () => store.now,
    read: async () => {
      store.reads += 1
      if (store.mode === 'fails') throw new Error('gone')
      if (store.mode === 'hangs') return new Promise(() => undefined)
      return new Map(store.values)
    },
  })
  return { store, runtime }
}

test('a change of another process is known after at most three seconds, and readers share a reading', async () => {
  const { store, runtime } = opened()
  expect((await runtime.values()).registration).toBe('open')
  store.values.set('registration', 'closed')
  store.now += FRESH - 1
  expect((await runtime.values()).registration).toBe('open')
  store.now += 1
  const all = await Promise.all(Array.from({ length: 20 }, () => runtime.values()))
  expect(new Set(all.map((it) => it.registration))).toEqual(new Set(['closed']))
  expect(store.reads).toBe(2)
})

test('a change of this process is known at once', async () => {
  const { store, runtime } = opened()
  await runtime.values()
  store.values.set('registration', 'invite')
  runtime.forget()
  expect((await runtime.values()).registration).toBe('invite')
})

test('while the database does not reply, the last known values apply, and before them the defaults', async () => {
  const { store, runtime } = opened([['registration', 'closed']])
  store.mode = 'fails'
  expect((await runtime.values()).registration).toBe('open')
  store.mode = 'replies'
  store.now += FRESH
  expect((await runtime.values()).registration).toBe('closed')
  for (const mode of ['fails', 'hangs'] as const) {
    store.mode = mode
    store.now += FRESH
    expect((await runtime.values()).registration).toBe('closed')
  }
  // A failed reading is remembered as long as a good one: not every request reaches a dead database.
  const { reads } = store
  await runtime.values()
  expect(store.reads).toBe(reads)
})

test('defaults are those of the environment, and a stored value that is out of bounds counts as not set', () => {
  const usual = usualValues(settings)
  expect([usual.limits.unfinished_uploads, usual.limits.stored_gib, usual.limits.posts_per_day]).toEqual([
    7, 3, 1000,
  ])
  expect(usualValues({ ...settings, limits: noLimits }).limits).toMatchObject({
    posts_per_day: Number.POSITIVE_INFINITY,
    upload_mib_member: 1024,
  })
  const stored = new Map<string, unknown>([
    ['posts_per_day', 5],
    ['comments_per_hour', 0],
    ['follows_per_hour', 'many'],
    ['registration', 'ajar'],
    ['bar', { text: '' }],
  ])
  const values = valuesOf(stored, usual)
  expect([values.set, values.registration, values.bar]).toEqual([{ posts_per_day: 5 }, 'open', null])
})

test('the quotas of files are those of an admin, and of the environment while there is none', async () => {
  const { store, runtime } = opened()
  expect(await runtime.uploadLimits()).toEqual(settings.uploadsPerPerson)
  store.values.set('stored_gib', 9)
  store.now += FRESH
  expect(await runtime.uploadLimits()).toEqual({ count: 7, bytes: 1, stored: 9 * GiB })
})

test('the bar is shown from its beginning to before its end, with another key for another text', () => {
  const bar = {
    text: 'メンテナンス中です',
    link: null,
    from: '2026-11-01T00:00:00.000Z',
    until: '2026-11-02T00:00:00.000Z',
  }
  const at = (iso: string) => barAt(bar, Date.parse(iso))
  expect([at('2026-10-31T23:59:59.999Z'), at(bar.until), barAt(null, 0)]).toEqual([null, null, null])
  expect(at(bar.from)).toMatchObject({ text: bar.text, link: null })
  expect(barAt({ ...bar, link: '/help' }, Date.parse(bar.from))?.key).not.toBe(at(bar.from)?.key)
})
