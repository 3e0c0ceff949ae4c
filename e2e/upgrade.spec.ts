// The database of the previous build is upgraded, and its jobs are sent.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolations } from './rig/axe.ts'
import { waitUntilDelivered } from './rig/posting/delivery.ts'
import { press } from './rig/posting/editor.ts'
import { waitForPost, originals, postsWithText, publishTexts } from './rig/posting/posts.ts'
import { creator, signInByCookie, sessionOf } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true, ownPhone: true })

interface Device {
  readonly userId: string
  readonly postId: string
  readonly version: number
  readonly stores: readonly {
    readonly name: string
    readonly keyPath: string | string[] | null
    readonly autoIncrement: boolean
    readonly indexes: readonly { name: string; keyPath: string | string[]; multiEntry: boolean }[]
    readonly rows: readonly { key?: IDBValidKey; value: unknown }[]
  }[]
}

/** The stored rows, rewritten for this person and this post. */
function deviceOf(userId: string, postId: string): Device {
  const text = readFileSync(new URL('devices/version-9.json', import.meta.url), 'utf8')
  const { userId: oldUser, postId: oldPost } = JSON.parse(text) as Device
  return JSON.parse(text.replaceAll(oldUser, userId).replaceAll(oldPost, postId)) as Device
}

/** Creates the database of the previous build, with its rows. */
function restore(page: Page, device: Device): Promise<void> {
  return page.evaluate(async (json) => {
    const { version, stores } = JSON.parse(json) as Device
    const bytesOf = (text: string) => Uint8Array.from(atob(text), (it) => it.charCodeAt(0))
    const revived = (it: unknown): unknown => {
      if (Array.isArray(it)) return it.map(revived)
      if (typeof it !== 'object' || it === null) return it
      const { $blob, $buffer, $bytes, type } = it as Record<string, string | undefined>
      if ($blob !== undefined) return new Blob([bytesOf($blob)], { type: type ?? '' })
      if ($buffer !== undefined) return bytesOf($buffer).buffer
      if ($bytes !== undefined) return bytesOf($bytes)
      return Object.fromEntries(Object.entries(it).map(([key, value]) => [key, revived(value)]))
    }
    // The installed worker closes its connection to the database.
    const deleting = indexedDB.deleteDatabase('todoke')
    await new Promise((done) => deleting.addEventListener('success', done))
    const opening = indexedDB.open('todoke', version)
    opening.addEventListener('upgradeneeded', () => {
      for (const { name, keyPath, autoIncrement, indexes, rows } of stores) {
        const store = opening.result.createObjectStore(name, { keyPath, autoIncrement })
        for (const it of indexes) store.createIndex(it.name, it.keyPath, { multiEntry: it.multiEntry })
        for (const { key, value } of rows) store.put(revived(value), key)
      }
    })
    await new Promise((done, failed) => {
      opening.addEventListener('success', done)
      opening.addEventListener('error', () => failed(opening.error ?? new Error('no database')))
    })
    opening.result.close()
  }, JSON.stringify(device))
}

const keysIn = (page: Page, store: string): Promise<string[]> =>
  page.evaluate(async (name) => {
    const opening = indexedDB.open('todoke')
    await new Promise((done) => opening.addEventListener('success', done))
    const keys = opening.result.transaction(name).objectStore(name).getAllKeys()
    await new Promise((done) => keys.addEventListener('success', done))
    opening.result.close()
    return keys.result.map(String)
  }, store)

/** SHA-256 of the stored files with these names, in their order. */
function digestsOf({ stores }: Device, names: readonly string[]): string[] {
  const rowsOf = (name: string) => stores.find((it) => it.name === name)?.rows.map((it) => it.value) ?? []
  const media = rowsOf('media') as { id: string; name: string }[]
  const chunks = rowsOf('chunks') as { mediaId: string; bytes: { $blob?: string; $buffer?: string } }[]
  return names.map((name) => {
    const { id } = defined(media.find((row) => row.name === name))
    const { bytes } = defined(chunks.find((it) => it.mediaId === id))
    return createHash('sha256')
      .update(Buffer.from(defined(bytes.$blob ?? bytes.$buffer), 'base64'))
      .digest('hex')
  })
}

test('posts of both protocols, a preupload, a like and a comment of the previous build are sent', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  const { user, token } = await sessionOf(server.url, creator)
  await publishTexts(server.url, creator, '新しい版でも読める投稿')
  const about = await waitForPost(server.url, '新しい版でも読める投稿')
  const device = deviceOf(user.id, about.id)
  await page.goto(`${network.url}/robots.txt`)
  await restore(page, device)
  await signInByCookie(page, network.url, creator)
  await page.goto(`${network.url}/`)
  for (const [content, names] of [
    ['古い版の画像', ['p1.jpg', 'p2.jpg']],
    ['古い版の旧方式', ['p0.jpg']],
  ] as const) {
    const post = await waitForPost(server.url, content)
    await expect.poll(() => originals(server.url, post)).toEqual(digestsOf(device, names))
    await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
  }
  const callApi = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await (await fetch(`${server.url}/api${path}`, { headers })).json()) as unknown
  }
  await expect.poll(() => callApi(`/posts/${about.id}`)).toMatchObject({ liked: true })
  await expect
    .poll(
      async () =>
        JSON.stringify(await callApi(`/posts/${about.id}/comments`)).split('古い版から。').length - 1,
    )
    .toBe(1)
  await expect.poll(() => keysIn(page, 'acts')).toEqual([])
  await expect(page.getByText('ほかのバージョンのとどけ')).toHaveCount(0)

  // The draft is in the editor with its picture, which the preupload has sent.
  await page.goto(`${network.url}/post/upload2`)
  await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue('古い版の下書き')
  await expect(page.getByText('ファイルは送信済みです', { exact: false })).toBeVisible()
  await press(page, network.url)
  const draft = await waitForPost(server.url, '古い版の下書き')
  await expect.poll(() => originals(server.url, draft)).toEqual(digestsOf(device, ['p0.jpg']))
  await waitUntilDelivered({ phone })
  await expectNoViolations(page)
})
