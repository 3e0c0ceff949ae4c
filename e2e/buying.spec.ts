// A fan buys a post: final confirmation, the sandbox provider's form, and the opened post.
import type { Page } from '@playwright/test'
import { defined } from '#contract/testing/defined.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressAnywhere, pressOn } from './rig/browsers/keyboard.ts'
import { killPhone, nothingWritten, reload } from './rig/browsers/leaving.ts'
import { type Api, apiOf } from './rig/people/api.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { buyPost, sandboxDoes } from './rig/people/buying.ts'
import { admin, creator, fan, signIn, yuu } from './rig/people/people.ts'
import { registerPerson } from './rig/people/registered.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const GOOD_CARD = '4111 1111 1111 1111'
const REFUSED_CARD = '4000 0000 0000 0002'

/** The demo's post for sale, as the fan sees it. */
async function postForSale(api: Api): Promise<PostView> {
  const { posts } = (await api.call('GET', '/posts?type=3')) as { posts: PostView[] }
  const it = posts.find(({ access }) => access.is === 'preview' && access.wants === 'purchase')
  if (!it) throw new Error('the demo has no post for sale')
  return it
}

const confirmButton = (page: Page) => page.getByRole('button', { name: '申込みを確定する' })

/** From the gate to the provider's form. */
async function order(page: Page): Promise<void> {
  await page.getByRole('link', { name: '購入する' }).click()
  await confirmButton(page).click()
  await expect(page.getByText('これは練習用の決済画面です。お金は動きません。')).toBeVisible()
}

async function payWith(page: Page, card: string): Promise<void> {
  await page.getByLabel('練習用のカード番号').fill(card)
  await page.getByRole('button', { name: '支払う' }).click()
}

/** Screenshots on a phone and a desk, light and dark. */
async function shootEachLook(page: Page, pathOf: (look: string) => string): Promise<void> {
  for (const [width, height] of [
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: pathOf(`${width}-${colorScheme}`), fullPage: true })
    }
  }
}

const isOpen = async (api: Api, postId: string) =>
  ((await api.call('GET', `/posts/${postId}`)) as PostView).access.is === 'full'

test('a fan buys a post in three presses and a card number; an open tab shows it at once', async ({
  server,
  network,
  phone,
}) => {
  const { page } = phone
  const me = await apiOf(server.url, fan)
  const post = await postForSale(me)
  await signIn(page, network.url, fan)
  const waiting = await page.context().newPage()
  await waiting.goto(`${network.url}/post/${post.id}`)
  await expect(waiting.getByRole('link', { name: '購入する' })).toBeVisible()
  await page.goto(`${network.url}/post/${post.id}`)
  await page.getByRole('link', { name: '購入する' }).press('Enter')
  await expect(page.getByText('練習用の決済です。お金は動きません。')).toBeVisible()
  for (const sentence of [
    /800円/,
    /「TODOKE」と表示されます/,
    /お支払いの確認後、すぐに/,
    /返金はお受けできません/,
  ])
    await expect(page.getByRole('main').getByText(sentence).first()).toBeVisible()
  await expectNoViolationsInEachLook(page)
  await confirmButton(page).press('Enter')
  await expect(page.getByText('これは練習用の決済画面です。お金は動きません。')).toBeVisible()
  await expectNoViolationsInEachLook(page)
  await payWith(page, REFUSED_CARD)
  await expect(page.getByRole('alert')).toContainText('このカードは使えませんでした')
  // Settled: the provider has refused the card, and no other was tried.
  expect(await isOpen(me, post.id)).toBe(false)
  await page.getByLabel('練習用のカード番号').fill(GOOD_CARD)
  await page.getByRole('button', { name: '支払う' }).press('Enter')
  await expect(page).toHaveURL(`${network.url}/post/${post.id}`)
  await expect(page.getByText('壁紙サイズの原画を三枚まとめました。')).toBeVisible()
  await expect(waiting.getByText('壁紙サイズの原画を三枚まとめました。')).toBeVisible()
  await page.goto(`${network.url}/payment?post=${post.id}`)
  await expect(page.getByText('この投稿は閲覧できます')).toBeVisible()
  const { notifications } = (await (await apiOf(server.url, creator)).call('GET', '/notifications')) as {
    notifications: { setting_cd: string; target_id: string }[]
  }
  expect(notifications).toContainEqual(
    expect.objectContaining({ setting_cd: 'buy_post', target_id: post.id }),
  )
})

test('a provider with a page of its own is opened by a redirect, and leads back to the opened post', async ({
  server,
  network,
  phone: { page },
}) => {
  await server.stop()
  await server.start(0, { PAYMENT_PROVIDER: 'hosted-sandbox' })
  const post = await postForSale(await apiOf(server.url, fan))
  await signIn(page, network.url, fan)
  await page.goto(`${network.url}/post/${post.id}`)
  await order(page)
  await expect(page).toHaveURL(/\/api\/payment-sandbox\/pages\//)
  await payWith(page, REFUSED_CARD)
  await expect(page.getByRole('alert')).toContainText('このカードは使えませんでした')
  await payWith(page, GOOD_CARD)
  await expect(page).toHaveURL(`${network.url}/post/${post.id}`)
  await expect(page.getByText('壁紙サイズの原画を三枚まとめました。')).toBeVisible()
})

/** The address by which the provider leads back to the app. */
const ledBack = async (page: Page): Promise<string> =>
  (await page.waitForRequest((it) => it.isNavigationRequest() && it.url().includes('session_id='))).url()

test(
  'a browser killed at the provider after paying finds the post open; a changed price is confirmed again',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const [me, seller] = [await apiOf(server.url, fan), await apiOf(server.url, creator)]
    const post = await postForSale(me)
    await signIn(phone.page, network.url, fan)
    await phone.page.goto(`${network.url}/payment?post=${post.id}`)
    await expect(confirmButton(phone.page)).toBeEnabled()
    await seller.call('PATCH', `/posts/${post.id}`, { audience: { type: 3, price: 900 } })
    await confirmButton(phone.page).click()
    await expect(phone.page.getByText('価格が変更されました。')).toBeVisible()
    await expect(phone.page.getByText('900円')).toBeVisible()
    await confirmButton(phone.page).click()
    await sandboxDoes(server.url, { reorder: true, copies: 2 })
    const led = ledBack(phone.page)
    await payWith(phone.page, GOOD_CARD)
    await expect(phone.page.getByText('お支払いの結果を確認しています')).toBeVisible()
    const returned = await led
    await killPhone(phone, nothingWritten)
    // Settled: the provider holds the notice back until it has a later one.
    expect(await isOpen(me, post.id)).toBe(false)
    await buyPost(server.url, await apiOf(server.url, yuu), post.id, 900)
    await expect.poll(() => isOpen(me, post.id)).toBe(true)
    await phone.start()
    await phone.page.goto(`${network.url}/post/${post.id}`)
    await expect(phone.page.getByText('壁紙サイズの原画を三枚まとめました。')).toBeVisible()
    await phone.page.goto(returned)
    await expect(phone.page).toHaveURL(`${network.url}/post/${post.id}`)
  },
)

test(
  'a charge of a post that cannot be bought any more is told with its amount and its return',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const [me, seller] = [await apiOf(server.url, fan), await apiOf(server.url, creator)]
    const post = await postForSale(me)
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/post/${post.id}`)
    await order(page)
    await seller.call('PUT', `/blocks/${me.id}`)
    await payWith(page, GOOD_CARD)
    const result = page.getByRole('main')
    await expect(result.getByRole('heading', { name: '購入は成立していません' })).toBeVisible()
    await expect(result).toContainText('800円が請求されましたが、購入や加入ができなくなっていたため')
    await expect(result).toContainText('全額の返金の手続きをしました')
    await expect(result).not.toContainText('請求はされていません')
    await expectNoViolationsInEachLook(page)
    await page.goto(`${network.url}/purchase-history`)
    const charges = page.getByRole('region', { name: '成立しなかった購入の請求' })
    await expect(charges).toContainText('購入や加入ができなくなっていたため')
    await expect(charges).toContainText('返金済み')
    await expectNoViolationsInEachLook(page)
  },
)

test(
  'the return page in a browser without a session shows the result, and opens nothing for others',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    const me = await apiOf(server.url, fan)
    const post = await postForSale(me)
    const { page } = phone
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/post/${post.id}`)
    await order(page)
    await sandboxDoes(server.url, { lose: true })
    const led = ledBack(page)
    const told: string[] = []
    page.on('request', (it) => told.push(it.url(), JSON.stringify(it.headers())))
    await payWith(page, GOOD_CARD)
    await expect(page.getByText('確認に時間がかかっています')).toBeVisible()
    const returned = await led
    // The provider names the secret once, in the address that leads back; the app names it in no other one.
    const secret = defined(new URL(returned).searchParams.get('session_id'))
    await reload(page, nothingWritten)
    await expect(page.getByText(/お支払いの結果を確認しています|確認に時間がかかっています/)).toBeVisible()
    expect(told.filter((it) => it.includes(secret))).toEqual([returned])
    expect(told).toContainEqual(expect.stringMatching(/\/api\/payments\/[\w-]+\/return$/))
    expect(page.url()).not.toContain(secret)
    await page.getByRole('link', { name: '申込みの確認に戻る' }).click()
    await expect(confirmButton(page)).toBeVisible()
    await sandboxDoes(server.url, {})
    await confirmButton(page).click()
    await payWith(page, GOOD_CARD)
    await expect(page).toHaveURL(`${network.url}/post/${post.id}`)
    const other = (await newPhone()).page
    await other.goto(returned)
    await expect(
      other.getByText('購入が完了しました。とどけのアプリに戻ると、投稿を見られます。'),
    ).toBeVisible()
    await other.goto(returned.replace(/session_id=[^&]*/, 'session_id=AAAAAAAAAAAAAAAAAAAAAA'))
    await expect(other.getByText('お支払いの手続きが見つかりません')).toBeVisible()
    await expectNoViolationsInEachLook(other)
  },
)

test(
  'without network a purchase cannot begin, and the page says why',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const post = await postForSale(await apiOf(server.url, fan))
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/payment?post=${post.id}`)
    await expect(confirmButton(page)).toBeEnabled()
    await page.context().setOffline(true)
    await expect(page.getByText('購入には通信が必要です。')).toBeVisible()
    await expect(confirmButton(page)).toBeDisabled()
    await page.context().setOffline(false)
    await expect(confirmButton(page)).toBeEnabled()
  },
)

test(
  'while nothing new is sold, the final confirmations of posts and plans say so before a press',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }, info) => {
    await page.route('**/api/operator', async (route) => {
      const reply = await route.fetch()
      const operator = await reply.json()
      await route.fulfill({
        response: reply,
        json: { ...operator, payments: { ...operator.payments, is_selling: false } },
      })
    })
    const me = await apiOf(server.url, yuu)
    const post = await postForSale(me)
    const { plans } = (await (await apiOf(server.url, creator)).call('GET', '/plans/own')) as {
      plans: { id: string; name: string }[]
    }
    await signIn(page, network.url, yuu)
    for (const asked of [
      `post=${post.id}`,
      `plan=${defined(plans.find((it) => it.name === 'アトリエプラン')).id}`,
    ]) {
      await page.goto(`${network.url}/payment?${asked}`)
      await expect(page.getByText(/購入した投稿と加入中のプランは、これまでどおり/)).toBeVisible()
      await expect(page.getByRole('alert')).toHaveText('現在申込みを受け付けていません。')
      await expect(confirmButton(page)).toBeDisabled()
      await expectNoViolationsInEachLook(page)
      await shootEachLook(page, (look) => info.outputPath(`${asked.slice(0, 4)}-${look}.png`))
    }
  },
)

test(
  'a new account reads why a dear post cannot be paid and from when it can, and the seller reads so at the price',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }, info) => {
    await server.stop()
    await server.start(0, { RATE_LIMITS: '1' })
    const shoot = (name: string) => shootEachLook(page, (look) => info.outputPath(`${name}-${look}.png`))
    const note = (act: string) =>
      `登録から30日未満の方は、24時間に30,000円までしか支払えないため、この価格では${act}できません。`
    const buyer = await registerPerson(server)
    const [me, seller] = [await apiOf(server.url, buyer), await apiOf(server.url, creator)]
    const post = await postForSale(me)
    const price = (yen: number) =>
      seller.call('PATCH', `/posts/${post.id}`, { audience: { type: 3, price: yen } })

    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/post/${post.id}`)
    await page.getByRole('button', { name: '投稿のメニュー' }).click()
    await page.getByRole('menuitem', { name: '公開範囲を変更' }).click()
    const sheet = page.getByRole('dialog', { name: '公開範囲' })
    await sheet.getByRole('textbox', { name: '価格（税込）' }).fill('30,000')
    await expect(sheet.getByText(note('購入'))).toHaveCount(0)
    await sheet.getByRole('textbox', { name: '価格（税込）' }).fill('50,000')
    await expect(sheet.getByText(note('購入'))).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await shoot('post-price')
    await sheet.getByRole('button', { name: '保存' }).click()
    await expect(sheet).toHaveCount(0)

    await signIn(page, network.url, buyer)
    await page.goto(`${network.url}/payment?post=${post.id}`)
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('24時間にお支払いいただける金額の合計が30,000円までです。')
    await expect(alert).toContainText(
      /登録から30日未満の間（(.+)まで）は、.+この金額は、\1からお支払いいただけます。/,
    )
    await expect(confirmButton(page)).toBeDisabled()
    await expectNoViolationsInEachLook(page)
    await shoot('too-new')

    // It fits, until the same person begins another payment on another device.
    await price(30_000)
    await page.goto(`${network.url}/payment?post=${post.id}`)
    await expect(page.getByText('30,000円').first()).toBeVisible()
    await expect(alert).toHaveText('')
    const { plans } = (await seller.call('GET', '/plans/own')) as {
      plans: { id: string; name: string; price: number }[]
    }
    const { id, price: monthly } = defined(plans.find((it) => it.name === 'アトリエプラン'))
    await me.call('POST', '/memberships', { payment_id: crypto.randomUUID(), plan_id: id, price: monthly })
    await confirmButton(page).click()
    await expect(alert).toContainText(
      `いまお支払いいただけるのは、あと${(30_000 - monthly).toLocaleString('ja')}円です。`,
    )
    await expect(confirmButton(page)).toBeDisabled()
    await shoot('less-left')

    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/plan/add`)
    await page.getByRole('textbox', { name: '月額（税込）' }).fill('30,001')
    await expect(page.getByRole('main').getByText(note('加入'))).toBeVisible()
    await shoot('plan-price')
  },
)

test(
  'a falsified amount opens nothing; the operator sees a task about it, closes it after a question, and finds it among the closed ones',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }, info) => {
    const shoot = (name: string) => shootEachLook(page, (look) => info.outputPath(`${name}-${look}.png`))
    const me = await apiOf(server.url, fan)
    const post = await postForSale(me)
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/post/${post.id}`)
    await order(page)
    await sandboxDoes(server.url, { amount: 1 })
    await payWith(page, GOOD_CARD)
    await expect(page.getByText('お支払いの結果を確認しています')).toBeVisible()
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/administration`)
    await page.getByRole('link', { name: 'お金についての作業' }).click()
    await expect(page.getByText('通知の金額が違います。')).toBeVisible()
    // Settled: the task exists once the notice was handled.
    expect(await isOpen(me, post.id)).toBe(false)
    await expect(page.getByText('未完了：1件')).toBeVisible()
    await expect(page.getByRole('heading', { name: '新しい通知' })).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await shoot('open')
    const row = page.getByRole('listitem', { name: '正しくない通知を確認する' })
    await pressAnywhere(row, 'j')
    await expect(row).toBeFocused()
    await pressOn(row, 'e')
    await page.getByRole('alertdialog').getByRole('button', { name: '完了にする' }).click()
    await confirmAdmin(page)
    await page.getByRole('button', { name: '完了にする' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: '完了にする' }).click()
    await expect(page.getByText('作業はありません')).toBeVisible()
    await shoot('none')
    await page.getByRole('tab', { name: '完了', exact: true }).click()
    const closed = page.getByRole('list', { name: '完了' }).getByRole('listitem').first()
    await expect(closed).toContainText('担当者が完了にしました')
    await expect(closed.getByRole('button', { name: '完了にする' })).toHaveCount(0)
    await expectNoViolationsInEachLook(page)
    await shoot('closed')
  },
)

test(
  'a charge whose notice was lost is applied from a list after it was shown, and shown until it is settled',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }, info) => {
    const me = await apiOf(server.url, fan)
    const post = await postForSale(me)
    const payment_id = crypto.randomUUID()
    await me.call('POST', '/payments', { payment_id, post_id: post.id, price: 800 })
    const at = new Date(Date.now() + 9 * 3600_000).toISOString().slice(0, 19).replace('T', ' ')
    const text = `決済番号,店舗オーダー番号,合計金額,決済結果,決済日時\ng-1,${payment_id},800,成功,${at}`
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/administration?show=tasks`)
    const upload = () =>
      page
        .getByLabel('CSVを選ぶ')
        .first()
        .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await upload()
    await confirmAdmin(page)
    await upload()
    await expect(
      page.getByText('反映する決済：1件、確認が必要な違い：0件。まだ何も変更していません。'),
    ).toBeVisible()
    // Settled: the reply of the preview is shown.
    expect(await isOpen(me, post.id)).toBe(false)
    await expectNoViolationsInEachLook(page)
    const shoot = (name: string) => shootEachLook(page, (look) => info.outputPath(`${name}-${look}.png`))
    await shoot('preview')
    await page.getByRole('button', { name: '反映する' }).click()
    await expect(page.getByText('1件を照合しました。反映した決済：1件、確認が必要な違い：0件')).toBeVisible()
    await expect.poll(() => isOpen(me, post.id)).toBe(true)
    await expect(page.getByRole('heading', { name: '一覧から反映した決済の入金を待つ' })).toBeVisible()
    await expect(page.getByRole('link', { name: '入金を記録する' })).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await shoot('applied')
  },
)
