// Two versions of the app on one device do not delete each other's data.
import { newId } from '#contract/ids.ts'
import { expectNoViolations } from './rig/axe.ts'
import { closePage, nothingWritten, reload } from './rig/browsers/leaving.ts'
import { creator, signInByCookie, sessionOf } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// The phone cannot be reused after these stories.
test.use({ ownPhone: true })

test('a newer version upgrades the database of an open editor, which requests a reload without losing text', async ({
  network,
  phone,
}) => {
  const { page } = phone
  await signInByCookie(page, network.url, creator)
  await page.goto(`${network.url}/post/upload2`)
  const field = page.getByRole('textbox', { name: '本文' })
  await field.fill('更新の前')
  await expect(page.getByText('下書きを保存しました')).toBeVisible()
  await page.evaluate(async () => {
    const newer = await new Promise<IDBDatabase>((done) => {
      const opening = indexedDB.open('todoke', 999)
      opening.addEventListener('success', () => done(opening.result))
    })
    newer.close()
  })
  const banner = page.getByRole('status').filter({ hasText: 'とどけが新しいバージョンに更新されました' })
  await expect(banner).toBeVisible()
  await field.fill('更新の前に続けて書いた')
  await expect(page.getByText('下書きを保存できませんでした')).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: '投稿', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'ページを再読み込みしてから' })).toBeVisible()
  await expect(field).toHaveValue('更新の前に続けて書いた')
  const notes = () => page.evaluate(() => JSON.stringify(Object.values(localStorage)))
  await expect.poll(notes).toContain('更新の前に続けて書いた')

  // The server still has this version, so the editor has its text after the reload.
  await reload(page, ['更新の前に続けて書いた'])
  await expect(page.getByRole('heading', { name: 'とどけが更新されました' })).toBeVisible()
  await expect(page.getByRole('alert').getByRole('button', { name: '再読み込み' })).toBeVisible()
  await expect.poll(notes).toContain('更新の前に続けて書いた')
  await expectNoViolations(page)
})

test('a post that another version queued remains, and is shown', async ({ server, network, phone }) => {
  const { page } = phone
  const { user } = await sessionOf(server.url, creator)
  await signInByCookie(page, network.url, creator)
  await page.goto(`${network.url}/`)
  await expect(page.getByRole('article').first()).toBeVisible()
  const row = { id: newId(), ownerId: user.id, kind: 'video-call', facts: { media: 'none' } }
  const jobs = (added?: object) =>
    page.evaluate(async (value) => {
      const database = await new Promise<IDBDatabase>((done) => {
        const opening = indexedDB.open('todoke')
        opening.addEventListener('success', () => done(opening.result))
      })
      const store = database.transaction('jobs', 'readwrite').objectStore('jobs')
      if (value) store.put(value)
      const all = store.getAll()
      await new Promise((done) => all.addEventListener('success', done))
      database.close()
      return all.result as unknown[]
    }, added)
  await jobs(row)
  await reload(page, [row.id])
  await expect(
    page.getByRole('status').filter({ hasText: 'ほかのバージョンのとどけで作成した送信待ちの投稿1件' }),
  ).toBeVisible()
  // Settled: the page has read the job, and shows it.
  expect(await jobs()).toEqual([row])
  await expectNoViolations(page)
})

test(
  'an older tab blocks the database: the newer version shows that, and continues when the tab is closed',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const old = phone.page
    await signInByCookie(old, network.url, creator)
    // Like a frozen tab, it does not close its connection.
    await old.addInitScript('IDBDatabase.prototype.close = () => {}')
    await old.goto(network.url)
    await expect(old.getByRole('article').first()).toBeVisible()
    const page = await phone.context.newPage()
    await page.addInitScript(`{
    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = function (name, version) {
      return open.call(this, name, version && version + 1)
    }
  }`)
    await page.goto(`${network.url}/post/upload2`)
    const banner = page.getByRole('status').filter({
      hasText: 'ほかのタブで古いバージョンのとどけが開いているため、下書きや送信待ちの投稿を開けません。',
    })
    await expect(banner).toContainText('そのタブを閉じてください。')
    await expectNoViolations(page)
    await closePage(old, nothingWritten)
    await expect(banner).toHaveCount(0)
    await reload(page, nothingWritten)
    await page.getByRole('textbox', { name: '本文' }).fill('古いタブを閉じてから')
    await expect(page.getByText('下書きを保存しました')).toBeVisible()
  },
)

test(
  'a corrupt draft can be read, copied and, after a question, deleted',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const { user } = await sessionOf(server.url, creator)
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/`)
    await expect(page.getByRole('article').first()).toBeVisible()
    const row = { id: newId(), ownerId: user.id, content: '壊れた下書きの文章', mediaIds: 'none' }
    const drafts = (added?: object) =>
      page.evaluate(async (value) => {
        const database = await new Promise<IDBDatabase>((done) => {
          const opening = indexedDB.open('todoke')
          opening.addEventListener('success', () => done(opening.result))
        })
        const store = database.transaction('drafts', 'readwrite').objectStore('drafts')
        if (value) store.put(value)
        const all = store.getAll()
        await new Promise((done) => all.addEventListener('success', done))
        database.close()
        return all.result as unknown[]
      }, added)
    await drafts(row)
    await reload(page, [row.id])
    const banner = page.getByRole('status').filter({ hasText: '下書き1件が、この端末にあります。' })
    await banner.getByRole('button', { name: '内容を確認' }).click()
    const sheet = page.getByRole('dialog', { name: '開けない内容' })
    await expect(sheet.getByText('壊れた下書きの文章')).toBeVisible()
    await expect(sheet.getByRole('button', { name: 'コピー' })).toBeVisible()
    await expectNoViolations(page)
    await sheet.getByRole('button', { name: '削除' }).click()
    const question = page.getByRole('alertdialog', { name: 'この内容を削除しますか' })
    await question.getByRole('button', { name: 'キャンセル' }).click()
    // Settled: the question is answered with キャンセル.
    expect(await drafts()).toEqual([row])
    await sheet.getByRole('button', { name: '削除' }).click()
    await question.getByRole('button', { name: '削除する' }).click()
    await expect(banner).toHaveCount(0)
    await expect.poll(() => drafts()).toEqual([])
  },
)
