// Text typed into a form is restored until it is submitted or removed.
import type { Page } from '@playwright/test'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { killPhone, reload, storedOnDevice } from './rig/browsers/leaving.ts'
import { creator, fan, signInByCookie, sessionOf } from './rig/people/people.ts'
import { postsWithText, publishTexts } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

const restored = (page: Page) => page.getByText('前回入力した内容を復元しました。')
const bio = (page: Page) => page.getByRole('textbox', { name: '自己紹介' })

test('after the browser is killed, text typed into the profile is restored, and can be removed', async ({
  network,
  phone,
}, info) => {
  await signInByCookie(phone.page, network.url, fan)
  const at = `${network.url}/profile/edit`
  await phone.page.goto(at)
  await expect(bio(phone.page)).toHaveValue(/./)
  // Settled: the field has the value that the server stores; read for the comparison below.
  const saved = await bio(phone.page).inputValue()
  await expect(restored(phone.page)).toHaveCount(0)
  await bio(phone.page).fill('まだ保存していない自己紹介')
  await killPhone(phone, ['まだ保存していない自己紹介'])
  await phone.start()
  const { page } = phone
  await page.goto(at)
  await expect(restored(page)).toBeVisible()
  await expect(bio(page)).toHaveValue('まだ保存していない自己紹介')
  await page.getByRole('textbox', { name: 'リンク 1' }).fill('https://example.com/restored')
  await expectNoViolationsInEachLook(page)
  await page.screenshot({ path: info.outputPath('restored.png') })
  await reload(page, ['https://example.com/restored'])
  await expect(page.getByRole('textbox', { name: 'リンク 1' })).toHaveValue('https://example.com/restored')
  await page.getByRole('button', { name: '元に戻す' }).click()
  await expect(bio(page)).toHaveValue(saved)
  await expect(restored(page)).toHaveCount(0)
  await reload(page, async (it) => !(await noteOf(it)).includes('https://example.com/restored'))
  await expect(bio(page)).toHaveValue(saved)
  await expect(restored(page)).toHaveCount(0)
})

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: '投稿のメニュー' }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Runs in the page. @returns the stored form texts as one string */
function noteOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((done) => {
      const opening = indexedDB.open('todoke')
      opening.addEventListener('success', () => done(opening.result))
    })
    const rows = await new Promise<unknown>((done) => {
      const reading = database.transaction('settings').objectStore('settings').getAll()
      reading.addEventListener('success', () => done(reading.result))
    })
    database.close()
    return JSON.stringify(rows)
  })
}

test(
  'a changed post and a report survive a reload; sending deletes the stored text, and signing out asks first',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    await publishTexts(server.url, creator, '直す前の本文')
    const [post] = await postsWithText(server.url, '直す前の本文')
    const { user } = await sessionOf(server.url, fan)
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/post/${post?.id}`)
    const sheet = page.getByRole('dialog', { name: '投稿の編集' })
    const text = sheet.getByRole('textbox', { name: '本文' })
    await choose(page, '投稿を編集')
    await text.fill('直している途中の本文')
    await reload(page, ['直している途中の本文'])
    await choose(page, '投稿を編集')
    await expect(text).toHaveValue('直している途中の本文')
    await expect(restored(page)).toBeVisible()
    await sheet.getByRole('button', { name: '保存' }).click()
    await expect(sheet).toHaveCount(0)
    await choose(page, '投稿を編集')
    await expect(text).toHaveValue('直している途中の本文')
    await expect(restored(page)).toHaveCount(0)

    const report = async () => {
      await page.goto(`${network.url}/profile/${user.id}`)
      await page.getByRole('button', { name: 'その他の操作' }).click()
      await page.getByRole('menuitem', { name: 'この人を通報' }).click()
    }
    await report()
    const detail = page.getByRole('textbox', { name: /^詳しい内容/ })
    await detail.fill('書きかけの通報')
    await storedOnDevice(page, ['書きかけの通報'])
    await report()
    await expect(detail).toHaveValue('書きかけの通報')
    await page.goto(`${network.url}/`)
    await page.getByRole('banner').locator('button[aria-haspopup=menu]').click()
    await page.getByRole('menuitem', { name: 'ログアウト' }).click()
    await expect(page.getByRole('alertdialog')).toContainText('保存していない入力1件は削除されます。')
  },
)

test(
  'a value whose width the server normalises is not restored as unsaved',
  { tag: '@deep' },
  async ({ network, phone: { page } }) => {
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/user/info`)
    const kana = page.getByRole('textbox', { name: 'フリガナ' })
    await kana.fill('ﾄﾄﾞｹ ﾊﾅｺ')
    await expect.poll(() => noteOf(page)).toContain('legal_name_kana')
    await kana.press('Enter')
    await expect(page.getByText('アカウント情報を保存しました。')).toBeVisible()
    // Texts are stored in order: when the later one is on the disk, the first one would be as well.
    await page.getByRole('textbox', { name: '名前' }).fill('次の名前')
    await expect.poll(() => noteOf(page)).toContain('次の名前')
    // Settled: by this order.
    expect(await noteOf(page)).not.toContain('legal_name_kana')
    await reload(page, ['次の名前'])
    await expect(restored(page)).toBeVisible()
    await expect(kana).toHaveValue('トドケ　ハナコ')
  },
)
