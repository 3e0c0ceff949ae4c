// A word of the operator holds a post; approved, it appears once with one notification.
import type { Page } from '@playwright/test'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressAnywhere, pressOn } from './rig/browsers/keyboard.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { admin, creator, fan, sessionOf, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// Words that are listed here would hold posts of stories of a shared server.
test.use({ ownServer: 'file' })

const look = async (page: Page, name: string) => await expectNoViolationsInEachLook(page, name)

/** Adds a word on the page of words, and moves in its list by keys. */
async function addWord(desk: Page, url: string): Promise<void> {
  await desk.goto(`${url}/administration?show=words`)
  await desk.getByRole('button', { name: '追加する' }).click()
  await expect(desk.getByText('入力必須項目です。')).toBeVisible()
  await desk.getByRole('textbox', { name: 'キーワード' }).fill('ﾀﾞﾒｺﾄﾊﾞ')
  await desk.getByRole('textbox', { name: 'メモ' }).fill('試験のため')
  await desk.getByRole('button', { name: '追加する' }).click()
  await expect(desk.getByText('キーワードを追加しました。')).toBeVisible()
  await desk.getByRole('heading', { name: '確認待ちにするキーワード' }).click()
  const row = desk.getByRole('listitem').filter({ hasText: 'ﾀﾞﾒｺﾄﾊﾞ' })
  await pressAnywhere(row, '?')
  const keys = desk.getByRole('dialog', { name: 'キーボード操作' })
  await expect(keys).toBeVisible()
  await pressOn(keys, 'Escape')
  await expect(keys).toBeHidden()
  await pressAnywhere(row, 'j')
  await expect(row).toBeFocused()
  await look(desk, 'words')
}

/** Publishes a post. @returns its id */
async function publish(url: string, author: Api, content: string): Promise<string> {
  const { token } = await sessionOf(url, creator)
  const form = new FormData()
  form.set('content', content)
  form.set('type', '1')
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/api/post/add`, { method: 'POST', headers, body: form })
  const { data } = (await answer.json()) as { data: [{ item: { id: string } }] }
  await author.call('POST', `/post/release-uploaded/${data[0].item.id}`)
  return data[0].item.id
}

interface Told {
  readonly notifications: readonly { readonly setting_cd: string; readonly target_id: string | null }[]
}
const tellings = async (reader: Api, post: string): Promise<number> => {
  const { notifications } = (await reader.call('GET', '/notifications')) as Told
  return notifications.filter((it) => it.target_id === post).length
}

/** Approves the held post from the list of cases, by keys. */
async function approve(desk: Page, url: string): Promise<void> {
  await desk.goto(`${url}/admin/report`)
  await expect(desk.getByText('自動：「ﾀﾞﾒｺﾄﾊﾞ」を含む')).toBeVisible()
  const cases = desk.getByRole('list', { name: '通報' })
  await pressAnywhere(cases.getByRole('link').first(), 'j')
  await pressOn(cases, 'Enter')
  await expect(desk.getByRole('region', { name: '確認待ちの理由' })).toContainText('「ﾀﾞﾒｺﾄﾊﾞ」を含む')
  await look(desk, 'held case')
  await pressAnywhere(desk.getByRole('button', { name: '対応を始める' }), 't')
  await pressAnywhere(desk.getByRole('button', { name: '判断する' }), 'e')
  const sheet = desk.getByRole('dialog', { name: '通報への対応' })
  await sheet.getByRole('combobox', { name: '判断' }).selectOption({ label: '問題なし（公開する）' })
  await look(desk, 'approval')
  await sheet.getByRole('button', { name: '決定する' }).click()
  await confirmAdmin(desk)
  await sheet.getByRole('button', { name: '決定する' }).click()
  await expect(desk.getByText('対応を決定しました。')).toBeVisible()
}

test(
  'a post with a listed word is held and explained, seen by no follower, and approved appears once',
  { tag: '@deep' },
  async ({ server, network, phone: { page }, newPhone }) => {
    const [author, reader] = [await apiOf(server.url, creator), await apiOf(server.url, fan)]
    await reader.call('PUT', `/follows/${author.id}`)
    const desk = (await newPhone({ viewport: { width: 1280, height: 800 } })).page
    await signIn(desk, network.url, admin)
    await addWord(desk, network.url)

    const content = `だめことばの話 ${Date.now()}`
    const post = await publish(server.url, author, content)
    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/post/${post}`)
    await expect(page.getByRole('heading', { name: '確認待ちのため、まだ公開されていません' })).toBeVisible()
    await expect(page.getByText(/違反と決まったわけではありません/)).toBeVisible()
    await look(page, 'held post')
    await page.getByRole('link', { name: '確認の状況を見る' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: content })).toContainText('確認待ち')
    await look(page, 'own holds')
    await page.goto(`${network.url}/notify`)
    await expect(page.getByText('投稿かコメントが確認待ちです')).toBeVisible()
    expect(await reader.call('GET', `/posts/${post}`)).toMatchObject({ error: { code: 'not_found' } })
    const later = await publish(server.url, author, `だいじょうぶな話 ${Date.now()}`)
    await expect.poll(() => tellings(reader, later)).toBe(1)
    // Settled: followers have been notified of a later post.
    expect(await tellings(reader, post)).toBe(0)

    await approve(desk, network.url)
    await expect.poll(() => tellings(reader, post)).toBe(1)
    const follower = (await newPhone()).page
    await signIn(follower, network.url, fan)
    await follower.goto(`${network.url}/post/${post}`)
    await expect(follower.getByRole('article').first()).toContainText(content)
    await page.goto(`${network.url}/post/${post}`)
    await expect(page.getByRole('article').first()).toContainText(content)
    await expect(page.getByRole('heading', { name: /確認待ち/ })).toHaveCount(0)
  },
)

test(
  'a person blocks a word, and shows a comment that waited for that person',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const [author, reader] = [await apiOf(server.url, creator), await apiOf(server.url, fan)]
    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/settings/blocklist_bk?tab=words`)
    await page.getByRole('textbox', { name: 'キーワードを追加' }).fill('いじわる')
    await page.getByRole('button', { name: '追加' }).click()
    await expect(page.getByText('キーワードをブロックしました。')).toBeVisible()
    await expect(page.getByRole('button', { name: '「いじわる」のブロックを外す' })).toBeVisible()
    const post = await publish(server.url, author, `今日の一枚 ${Date.now()}`)
    const body = { id: crypto.randomUUID(), content: 'イジワルなコメント', parent_id: null, answers_id: null }
    expect(await reader.call('POST', `/posts/${post}/comments`, body)).toMatchObject({
      body: { held: 'creator' },
    })
    await reload(page, nothingWritten)
    await expect(page.getByRole('main').getByText('イジワルなコメント')).toBeVisible()
    await look(page, 'blocked words')
    await page.getByRole('button', { name: '表示する' }).click()
    await expect(page.getByText('コメントを表示しました。')).toBeVisible()
    await expect(page.getByRole('main').getByText('イジワルなコメント')).toBeHidden()
    await page.goto(`${network.url}/post/${post}`)
    await expect(page.getByRole('main').getByText('イジワルなコメント')).toBeVisible()
  },
)
