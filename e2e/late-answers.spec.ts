// An answer that comes late finds a person who is doing something else by now: it takes nothing from them.
import type { BrowserContext, Page } from '@playwright/test'
import { akari, fan, kami, sessionOf, signIn } from './rig/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

/** Holds the next call of this kind back on its way to the server; `asked` once it is under way. */
async function holdNext(context: BrowserContext, method: string, path: string) {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let taken = false
  await context.route(`**/api${path}`, async (route) => {
    if (taken || route.request().method() !== method) return route.fallback()
    taken = true
    asked.resolve()
    await gate.promise
    return route.continue()
  })
  return { asked: asked.promise, letGo: () => gate.resolve() }
}

/** Goes there inside the app, as a link does. */
async function step(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => window.history.pushState({}, '', to), path)
}

test('a mute that takes its time leaves the report alone that is written meanwhile', async ({
  server,
  network,
  phone: { page, context },
}) => {
  const [one, other] = [(await sessionOf(server.url, akari)).user, (await sessionOf(server.url, kami)).user]
  await signIn(page, network.url, fan)
  const report = page.getByRole('dialog', { name: 'ユーザーを通報' })
  async function ask(person: { id: string; name: string }): Promise<void> {
    await step(page, `/profile/${person.id}`)
    await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible()
    await page.getByRole('button', { name: 'その他の操作' }).click()
    await page.getByRole('menuitem', { name: 'この人を通報' }).click()
  }
  await ask(one)
  await report.getByRole('radio', { name: 'スパム' }).click()
  await report.getByRole('button', { name: '通報する' }).click()
  const muting = await holdNext(context, 'PUT', '/mutes/*')
  await report.getByRole('button', { name: `${one.name}さんをミュート` }).click()
  await muting.asked
  await expect(report.getByText('処理中')).toBeVisible()
  await report.getByRole('button', { name: '閉じる' }).click()
  await ask(other)
  const detail = report.getByRole('textbox', { name: '詳しい内容' })
  await detail.fill('まだ書いているところです')
  muting.letGo()
  await expect(page.getByText(`${one.name}さんをミュートしました。`)).toBeVisible()
  await expect(detail).toHaveValue('まだ書いているところです')
})
