// Search: typing, suggestions, filters, marked results, history, and returning to the list.
import { newId } from '#contract/ids.ts'
import { creator, fan, sessionOf, signIn } from './rig/people/people.ts'
import { expectNoViolations } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { getAs } from './rig/people/sessions.ts'
import { InputMethod } from './rig/browsers/input-method.ts'
import { expect, test } from './rig/story.ts'

async function publish(url: string, content: string): Promise<void> {
  const { token } = await sessionOf(url, creator)
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': newId() }
  const body = new FormData()
  body.set('content', content)
  body.set('type', '1')
  const added = await fetch(`${url}/api/post/add`, { method: 'POST', headers, body })
  const { data } = (await added.json()) as { data: { item: { id: string } }[] }
  const id = data[0]?.item.id ?? ''
  await fetch(`${url}/api/post/release-uploaded/${id}`, { method: 'POST', headers })
}

test('a person searches, filters, opens a result, returns and deletes the history', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  for (let n = 1; n <= 12; n++) await publish(server.url, `ﾗﾑﾈのびん ${n}本目\n\n\n\n夏の終わり`)
  await signIn(page, network.url, fan)
  await page.getByRole('link', { name: '検索' }).first().click()
  const field = page.getByRole('combobox', { name: '投稿やユーザーを検索' })

  await test.step('Enter that ends a composition searches nothing', async () => {
    await field.click()
    const ime = await InputMethod.attach(page)
    await ime.compose('らむね')
    await ime.press('Enter')
    await ime.commit('らむね')
    await expect(field).toHaveValue('らむね')
    expect(new URL(page.url()).pathname).toBe('/search')
    await field.press('Enter')
    await expect(page).toHaveURL(/\/search\/result\?q=/)
  })

  const feed = page.getByRole('feed', { name: '「らむね」の投稿' })
  await test.step('matches are marked in the spelling of the post', async () => {
    await expect(feed.locator('mark').first()).toHaveText('ﾗﾑﾈ')
    await expectNoViolations(page)
  })

  await test.step('filtered to videos nothing is found, and one press clears the filter', async () => {
    await page.getByRole('button', { name: '絞り込み' }).click()
    await page.getByRole('radio', { name: '動画' }).click()
    await page.getByRole('button', { name: '絞り込む' }).click()
    await expect(page.getByText('「らむね」は見つかりませんでした')).toBeVisible()
    await expect(page).toHaveURL(/media=video/)
    await page.getByRole('button', { name: '条件をクリアして検索' }).click()
    await expect(feed.locator('mark').first()).toBeVisible()
  })

  await test.step('after a result the list has its former scroll position', async () => {
    const seventh = feed.getByText('6本目')
    await expect(async () => {
      await page.mouse.wheel(0, 400)
      await expect(seventh).toBeInViewport({ timeout: 300 })
    }).toPass()
    await seventh.click({ force: true })
    await expect(page).toHaveURL(/\/post\//)
    await page.goBack()
    await expect(seventh).toBeInViewport()
  })

  await test.step('a suggestion is chosen by keyboard', async () => {
    await page.evaluate(() => window.scrollTo(0, 0))
    await field.fill('はる')
    const person = page.getByRole('option', { name: /汐見はる/ })
    await expect(person).toBeVisible()
    await field.press('ArrowDown')
    await expect(person).toHaveAttribute('aria-selected', 'true')
    await field.press('Escape')
    await expect(person).toBeHidden()
    await field.press('ArrowDown')
    await field.press('Enter')
    await expect(page).toHaveURL(/\/profile\//)
  })

  await test.step('the history is stored on the device, and its words are deleted one by one', async () => {
    await page.getByRole('link', { name: '検索' }).first().click()
    const history = page.getByRole('region', { name: '最近の検索' })
    await expect(history.getByRole('button', { name: 'らむね', exact: true })).toBeVisible()
    await expectNoViolations(page)
    await reload(page, ['らむね'])
    await history.getByRole('button', { name: '「らむね」を履歴から削除' }).click()
    await expect(history).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'よく検索されているキーワード' })).toBeVisible()
  })
})

test(
  'a person can be followed in the list of results',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/search/result?q=${encodeURIComponent('汐見')}&tab=people`)
    const found = page.getByRole('list', { name: '「汐見」のユーザー' })
    await found.getByRole('button', { name: '汐見はるさんをフォローする' }).click()
    await expect(found.getByRole('button', { name: '汐見はるさんのフォローを解除' })).toBeVisible()
    await expectNoViolations(page)
    const { user } = await sessionOf(server.url, creator)
    const followed = async () => (await getAs(server.url, fan, `/users/${user.id}`)).json()
    await expect.poll(followed).toMatchObject({ relation: { following: true } })
    await reload(page, nothingWritten)
    await found.getByRole('button', { name: '汐見はるさんのフォローを解除' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'フォローを解除' }).click()
    await expect(found.getByRole('button', { name: '汐見はるさんをフォローする' })).toBeVisible()
  },
)

test(
  'a press on a hashtag with a wave dash finds the post that has it',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    await publish(server.url, '#トロピカル〜ジュ を見た')
    await publish(server.url, '#トロピカル とは別の話')
    const { user } = await sessionOf(server.url, creator)
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/profile/${user.id}`)
    await page.getByRole('link', { name: '#トロピカル〜ジュ' }).click()
    await expect(page).toHaveURL(/\/search\/result\?q=/)
    const found = page.getByRole('feed').getByRole('article')
    await expect(found).toHaveCount(1)
    await expect(found).toContainText('#トロピカル〜ジュ を見た')
  },
)
