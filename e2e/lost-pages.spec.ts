// URLs of deleted content, a used link, and toasts of an undone action.
import { newId } from '#contract/ids.ts'
import { fan, kami, sessionOf, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test(
  'a deleted post or person and a bad link are explained inside the app; a new toast replaces the previous one',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    await signIn(page, network.url, fan)
    const notFound = page.getByRole('heading', { level: 1, name: 'このページは表示できません' })
    for (const path of [
      `/post/${newId()}`,
      '/post/1',
      `/profile/${newId()}`,
      '/profile/1',
      `/profile/follow?uid=${newId()}`,
    ]) {
      await page.goto(network.url)
      await expect(page.getByRole('tab').first()).toBeVisible()
      await page.evaluate((to) => window.history.pushState({}, '', to), path)
      await expect(notFound, path).toBeVisible()
      await expect(page.getByRole('banner'), path).toBeVisible()
      await page.getByRole('button', { name: '戻る' }).click()
      await expect(page.getByRole('tab').first()).toBeVisible()
    }
    // The server still answers the address with 404.
    // Settled: the reply to this request.
    expect((await fetch(`${server.url}/post/${newId()}`)).status).toBe(404)

    await page.goto(`${network.url}/confirmed#token=bad`)
    await expect(page.getByText('このリンクは使えません。')).toBeVisible()
    await expect(page.getByText('登録は完了しています')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'ホームへ' })).toBeVisible()

    const { user } = await sessionOf(server.url, kami)
    await page.goto(`${network.url}/profile/${user.id}`)
    const toasts = page.getByRole('region', { name: '操作の結果' }).getByRole('dialog')
    const more = page.getByRole('button', { name: 'その他の操作' })
    await more.click()
    await page.getByRole('menuitem', { name: `${user.name}さんをミュート` }).click()
    await expect(toasts).toHaveCount(1)
    // It is at the top right, below the header, so that its controls stay reachable.
    await expect
      .poll(async () => {
        const [toast, header] = [await toasts.boundingBox(), await page.getByRole('banner').boundingBox()]
        return toast && header ? toast.y - (header.y + header.height) : Number.NaN
      })
      .toBeGreaterThanOrEqual(0)
    await page.getByRole('button', { name: '解除' }).click()
    await expect(toasts.filter({ hasText: '解除' })).toHaveCount(1)
    await expect(toasts).toHaveCount(1)
  },
)
