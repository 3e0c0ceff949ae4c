// Lost state of server or device during an upload: the browser stories of docs/recovery.md.
import { cpSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './rig/axe.ts'
import { waitUntilDelivered } from './rig/posting/delivery.ts'
import { postButton, press, write } from './rig/posting/editor.ts'
import type { Fault } from './rig/network/faults.ts'
import { creator, signInByCookie, type Person, sessionOf } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { waitForPost, originals, postsWithText } from './rig/posting/posts.ts'
import { registerPerson } from './rig/people/registered.ts'
import { openTray, resumable } from './rig/posting/fault-matrix.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: 'file' })

const away: Fault = { is: 'answered', status: 503 }
const sent = (page: Page) => page.getByText('投稿が完了しました。').first()

async function writeAs(page: Page, url: string, person: Person, content: string): Promise<string> {
  const [picture] = await makePictures(1)
  await signInByCookie(page, url, person)
  await write(page, url, { content, files: [picture?.path ?? ''] })
  return picture?.sha256 ?? ''
}

test(
  'after the server is restored from a backup before the add, the post is published once',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const content = 'バックアップより新しい投稿'
    const sha256 = await writeAs(page, network.url, creator, content)
    // Settled: 投稿 is not pressed yet.
    expect(await postsWithText(server.url, content)).toEqual([])
    const backup = await server.backUp()
    network.begin(resumable.release, away)
    const before = network.faultCount
    await press(page, network.url)
    await expect.poll(() => network.faultCount - before).toBeGreaterThan(0)
    await server.restore(backup)
    network.end(resumable.release)
    const post = await waitForPost(server.url, content)
    await expect.poll(() => originals(server.url, post)).toEqual([sha256])
    await waitUntilDelivered({ phone })
    await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
  },
)

test(
  'a phone and a copy of its profile send the same post: it is published once, and both report that',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const { page } = phone
    const content = '二台に写した投稿'
    await writeAs(page, network.url, creator, content)
    network.cut()
    await press(page, network.url)
    await phone.stop()
    const profile = temporaryFolder('copied')
    // The copy has no lock file of the browser.
    cpSync(phone.profile, profile, { recursive: true, filter: (path) => !path.includes('/Singleton') })
    network.restore()
    await phone.start()
    await phone.page.goto(network.url)
    await expect(sent(phone.page)).toBeVisible()
    await waitForPost(server.url, content)

    const copy = await newPhone({ profile })
    await copy.page.goto(network.url)
    await expect(sent(copy.page)).toBeVisible()
    await waitUntilDelivered({ phone: copy })
    await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
  },
)

test(
  'a deleted post that a copy of the phone still sends is not published again, and the reason is shown',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const content = '消したのに戻らない投稿'
    await writeAs(page, network.url, creator, content)
    network.begin(resumable.release, { is: 'reply-dropped' })
    await press(page, network.url)
    const post = await waitForPost(server.url, content)
    const { token } = await sessionOf(server.url, creator)
    const authorization = `Bearer ${token}`
    const deleted = await fetch(`${server.url}/api/posts/${post.id}`, {
      method: 'DELETE',
      headers: { authorization },
    })
    expect(deleted.ok).toBe(true)
    network.end(resumable.release)
    await openTray(page)
    await expect(page.getByText('この投稿は、公開されたあとで削除されています。').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'もう一度送信' })).toHaveCount(0)
    // Settled: the tray says that the device sends the post no more.
    expect(await postsWithText(server.url, content)).toEqual([])
    // The person publishes it again as another post.
    await page.getByRole('button', { name: '編集に戻る' }).click()
    await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue(content)
    await postButton(page).click()
    await waitForPost(server.url, content)
    await waitUntilDelivered({ phone })
    await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
  },
)

test(
  'when the account is suspended, the text of a pending post can be copied and its picture saved',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const person = await registerPerson(server)
    const { user } = await sessionOf(server.url, person)
    const content = '停止されても読める文章'
    await writeAs(page, network.url, person, content)
    network.begin(resumable.add, away)
    await press(page, network.url)
    await server.change('update users set suspended_at = now() where id = $1', [user.id])
    network.end(resumable.add)
    await page.goto(network.url)
    await expect(page).toHaveURL(/\/login/)
    const parked = page.getByRole('list', { name: '送信待ちのもの' })
    await expect(parked).toContainText(
      '夕暮さんのアカウントは利用を停止されているため、この端末に残っている投稿1件は送信されません。',
    )
    await parked.getByRole('button', { name: '夕暮さんの送信されない内容を書き出す' }).click()
    const sheet = page.getByRole('dialog', { name: '送信されない内容' })
    await expect(sheet.getByText(content)).toBeVisible()
    await expectNoViolations(page)
    const download = page.waitForEvent('download')
    await sheet.getByRole('button', { name: 'picture-1.jpgを保存' }).click()
    // Settled: a download has its name from its beginning.
    expect((await download).suggestedFilename()).toBe('picture-1.jpg')
    await sheet.getByRole('button', { name: '閉じる' }).click()

    // After the account is reopened, the post continues at the next sign-in.
    await server.change('update users set suspended_at = null where id = $1', [user.id])
    await signInByCookie(page, network.url, person)
    await page.goto(network.url)
    await waitUntilDelivered({ phone })
    const { token } = await sessionOf(server.url, person)
    const answer = await fetch(`${server.url}/api/posts?author=${user.id}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(((await answer.json()) as { posts: unknown[] }).posts).toHaveLength(1)
  },
)

test(
  'after the server is restored from a backup without the account, the text can be copied',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const backup = await server.backUp()
    const person = await registerPerson(server)
    const content = 'アカウントごと失われた投稿'
    await writeAs(page, network.url, person, content)
    network.begin(resumable.add, away)
    await press(page, network.url)
    await server.restore(backup)
    network.end(resumable.add)
    await page.goto(network.url)
    await expect(page).toHaveURL(/\/login/)
    const parked = page.getByRole('list', { name: '送信待ちのもの' })
    await expect(parked).toContainText('夕暮さんのアカウントはすでにないため')
    await parked.getByRole('button', { name: '夕暮さんの送信されない内容を書き出す' }).click()
    const sheet = page.getByRole('dialog', { name: '送信されない内容' })
    await expect(sheet.getByText(content)).toBeVisible()
    await sheet.getByRole('button', { name: '閉じる' }).click()
    await parked.getByRole('button', { name: '夕暮さんの送信待ちの投稿を削除' }).click()
    await page.getByRole('button', { name: '削除する', exact: true }).click()
    await expect(parked).toHaveCount(0)
  },
)
