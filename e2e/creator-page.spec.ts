// A creator reads the numbers of their posts, and finds a member.
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { creator, fan, sessionOf, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

test(
  'a reader of a post is reported once by its page',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const reports: (string | null)[] = []
    page.on('request', (it) => {
      if (it.url().endsWith('/readings')) reports.push(it.postData())
    })
    const { user } = await sessionOf(server.url, creator)
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/profile/${user.id}`)
    const reported = page.waitForResponse((it) => it.url().endsWith('/readings'))
    await page.getByRole('article').first().getByRole('link').last().click()
    const answer = await reported
    expect(answer.status()).toBe(200)
    expect(reports).toEqual(['{"what":"opened"}'])
  },
)

test(
  'from the profile to the numbers, another period, a post and the members',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const { user } = await sessionOf(server.url, creator)
    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/profile/${user.id}`)
    await page.getByRole('link', { name: 'クリエイターページ' }).click()
    await expect(page.getByRole('heading', { name: '日ごとの閲覧' })).toBeVisible()
    await page.getByRole('radio', { name: '7日間' }).click()
    await expect(page).toHaveURL(/days=7/)
    await page.getByText('表で見る').click()
    await expect(page.getByRole('row')).toHaveCount(8)
    await expectNoViolationsInEachLook(page)
    await page.getByRole('link', { name: 'メンバー' }).click()
    const members = page.getByRole('list', { name: 'メンバーの一覧' }).getByRole('listitem')
    await expect(members.first()).toBeVisible()
    await page.getByRole('searchbox', { name: '名前・ユーザー名で検索' }).fill('いない人')
    await page.getByRole('button', { name: '検索', exact: true }).click()
    await expect(page.getByRole('heading', { name: '見つかりませんでした' })).toBeVisible()
    await page.getByRole('button', { name: '条件をクリア' }).click()
    await expect(members.first()).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSVで保存' }).click()
    // Settled: a download has its name from its beginning.
    expect((await download).suggestedFilename()).toBe('todoke-members.csv')
    await expectNoViolationsInEachLook(page)
  },
)
