// A priced post without an approved identity check is published once after the approval.
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { reviewer } from './rig/people/identity.ts'
import { type Person, sessionOf, signIn } from './rig/people/people.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { registerPerson } from './rig/people/registered.ts'
import { submittedCheck } from './rig/people/sent-check.ts'
import { expect, test } from './rig/story.ts'

const WORDS = '本人確認を待っている有料の投稿'

async function ownPosts(url: string, person: Person): Promise<unknown[]> {
  const { token, user } = await sessionOf(url, person)
  const answer = await fetch(`${url}/api/posts?author=${user.id}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { posts: unknown[] }).posts
}

test('it is refused, returns to the editor complete, and after the approval is published exactly once', async ({
  server,
  network,
  phone: { page },
}) => {
  const person = await registerPerson(server)
  await signIn(page, network.url, person)
  await page.goto(`${network.url}/post/upload2`)
  await page.getByRole('textbox', { name: '本文' }).fill(WORDS)
  const [picture] = await makePictures(1)
  await page.getByLabel('画像・動画を追加').setInputFiles(defined(picture).path)
  const note = page.getByRole('note').filter({ hasText: '本人確認の承認が必要です' })
  await expect(note).toHaveCount(0)
  await page.getByRole('button', { name: /^公開範囲/ }).click()
  const sheet = page.getByRole('dialog', { name: '公開範囲' })
  await expect(sheet.getByText(/共有されたリンクには、ログインしていない人にも/)).toBeVisible()
  await sheet.getByRole('radio', { name: /有料/ }).click()
  await sheet.getByRole('textbox', { name: '価格（税込）' }).fill('500')
  await expect(sheet.getByRole('link', { name: '本人確認へ進む' })).toBeVisible()
  await expectNoViolationsInEachLook(page, 'the sheet')
  await sheet.getByRole('button', { name: '決定' }).click()
  // The note is shown without a network too.
  network.cut()
  await expect(note).toHaveCount(1)
  await expectNoViolationsInEachLook(page, 'the editor')
  network.restore()
  await page.getByRole('button', { name: '投稿', exact: true }).click()

  const tray = page.getByRole('button', { name: /送信できませんでした/ })
  await expect(tray).toBeVisible()
  await tray.click()
  const uploads = page.getByRole('dialog', { name: '送信中の投稿' })
  await expect(
    uploads.getByText(/プランの作成と、プラン限定・有料の投稿には、本人確認が必要です/),
  ).toBeVisible()
  await expect(uploads.getByRole('link', { name: '本人確認へ進む' })).toHaveAttribute(
    'href',
    '/user/verification',
  )
  await expectNoViolationsInEachLook(page, 'the tray')
  await uploads.getByRole('button', { name: '編集に戻る' }).click()
  await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue(WORDS)
  await expect(page.getByRole('main').getByRole('img').first()).toBeVisible()
  await expect(page.getByText(/有料（500円）/)).toBeVisible()
  // Settled: the server has refused the post, as the tray says, and its job became a draft again.
  expect(await ownPosts(server.url, person)).toEqual([])

  const check = await submittedCheck(server.url, person)
  const review = await reviewer(server.url)
  await review.perform(check, 'take')
  // Settled: the status of the reply to this request.
  expect(await review.approve(check)).toBe(200)
  const sessionReply = page.waitForResponse((it) => new URL(it.url()).pathname === '/api/auth/session')
  await reload(page, [WORDS])
  await sessionReply
  await expect(page.getByRole('textbox', { name: '本文' })).toHaveValue(WORDS)
  await expect(page.getByText(/有料（500円）/)).toBeVisible()
  await expect(note).toHaveCount(0)
  await page.getByRole('button', { name: '投稿', exact: true }).click()
  await expect(page.getByText('投稿が完了しました。')).toBeVisible()
  await expect.poll(() => ownPosts(server.url, person)).toHaveLength(1)
})

test(
  'after a person turns share cards off, shared links have the general card',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const person = await registerPerson(server)
    const { token } = await sessionOf(server.url, person)
    const headers = { authorization: `Bearer ${token}` }
    const form = new FormData()
    form.append('content', '共有されたリンクの本文')
    form.append('type', '1')
    const added = await fetch(`${server.url}/api/post/add`, { method: 'POST', headers, body: form })
    const { data } = (await added.json()) as { data: { item: { id: string } }[] }
    const id = data[0]?.item.id ?? ''
    await fetch(`${server.url}/api/post/release-uploaded/${id}`, { method: 'POST', headers })
    const shared = async () => (await fetch(`${server.url}/post/${id}`)).text()
    await expect.poll(shared).toContain('共有されたリンクの本文')
    await signIn(page, network.url, person)
    await page.goto(`${network.url}/settings/privacy-and-security`)
    const choice = page.getByRole('switch', { name: '共有されたリンクに本文の冒頭と画像を表示する' })
    await expect(choice).toBeChecked()
    const saved = page.waitForResponse((it) => it.url().endsWith('/settings/privacy') && it.ok())
    await choice.click()
    await saved
    await expectNoViolationsInEachLook(page, 'settings')
    const now = await shared()
    expect(now).not.toContain('共有されたリンクの本文')
    expect(now).toContain('noindex')
    await reload(page, nothingWritten)
    await expect(choice).not.toBeChecked()
  },
)
