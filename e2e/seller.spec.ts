// A seller's data by law: stored, published, requested and answered.
import type { Page } from '@playwright/test'
import type { PostView } from '#contract/posts/posts.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressTab, typeOn } from './rig/browsers/keyboard.ts'
import { apiOf } from './rig/people/api.ts'
import { buyPost } from './rig/people/buying.ts'
import { emailTo, linkIn } from './rig/people/mail.ts'
import { admin, creator, fan, sessionOf, signIn, yuu } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const field = (page: Page, name: string) => page.getByRole('textbox', { name })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
const facts = (page: Page) => page.getByRole('region', { name: '販売者' })
const address = '〒102-0082 東京都千代田区一番町1-1'
const body = {
  display: 'on_request',
  name: '汐見 春子',
  address,
  phone: '03-1234-5678',
  email: 'shiomi@example.com',
  hours: '',
}

test(
  'a creator is led to the form, stores the data by keyboard, publishes them, and removes them',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/plan/add`)
    await page.getByRole('link', { name: '登録する' }).press('Enter')
    await press(page, '保存する')
    await expect(page.getByText('入力必須項目です。')).toHaveCount(4)
    await expect(field(page, '氏名または名称')).toBeFocused()
    await expectNoViolationsInEachLook(page)
    await typeOn(field(page, '氏名または名称'), body.name)
    const next = {
      住所: address,
      電話番号: '０３ー１２３４',
      メールアドレス: body.email,
      受付時間: '平日10時から17時',
    }
    for (const [name, value] of Object.entries(next)) {
      await pressTab(page)
      await typeOn(field(page, name), value)
    }
    await press(page, '保存する')
    await expect(page.getByText('電話番号を、市外局番から数字で入力してください')).toBeVisible()
    await field(page, '電話番号').fill('０３ー１２３４ー５６７８')
    await press(page, '保存する')
    await expect(page.getByText('販売者の情報を保存しました')).toBeVisible()
    await page.getByRole('link', { name: '購入する人に見える画面' }).click()
    await expect(facts(page).getByText('請求があった場合は、遅滞なく開示します。')).toHaveCount(4)
    await expect(facts(page).getByText(address)).toHaveCount(0)
    await page.getByRole('link', { name: '販売者の情報を編集する' }).click()
    await page.getByRole('radio', { name: '公開する' }).press('Space')
    await press(page, '保存する')
    await emailTo(server, creator.email, '販売者の情報が保存されました')
    await page.getByRole('link', { name: '購入する人に見える画面' }).click()
    await expect(facts(page).getByText(address)).toBeVisible()
    await expect(facts(page).getByText('03-1234-5678')).toBeVisible()
    await page.goto(`${network.url}/settings/seller`)
    await press(page, '販売者の情報を削除する')
    await page.getByRole('alertdialog').getByRole('button', { name: '販売者の情報を削除する' }).click()
    await expect(page.getByText('販売者の情報を削除しました')).toBeVisible()
    await expect(field(page, '住所')).toHaveValue('')
  },
)

test(
  'a buyer reaches the page from the confirmation and is answered at once; the creator reads by whom',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const shop = await apiOf(server.url, creator)
    await shop.call('PUT', '/seller', body)
    const buyer = await apiOf(server.url, fan)
    const { posts } = (await buyer.call('GET', '/posts?type=3')) as { posts: PostView[] }
    const post = posts.find(({ access }) => access.is === 'preview' && access.wants === 'purchase')
    if (!post) throw new Error('the demo has no post for sale')
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/payment?post=${post.id}`)
    await page.getByRole('link', { name: '特定商取引法に基づく表記' }).press('Enter')
    await expect(page.getByText('運営者が確認し、3日以内にメールで回答します。')).toBeVisible()
    await buyPost(server.url, buyer, post.id, 800)
    await page.goto(`${network.url}/purchase-history`)
    await page
      .getByRole('link', { name: /^領収書/ })
      .first()
      .click()
    await page.getByRole('link', { name: '特定商取引法に基づく表記' }).click()
    await expect(page.getByText('請求すると、すぐにこの画面に表示し')).toBeVisible()
    await expectNoViolationsInEachLook(page)
    network.cut()
    await press(page, '開示を請求する')
    await expect(page.getByText('通信できませんでした。').first()).toBeVisible()
    network.restore()
    await press(page, '開示を請求する')
    await expect(facts(page).getByText(address)).toBeVisible()
    await expect(facts(page)).toBeFocused()
    await expect(page.getByText('請求したあなたにだけ')).toBeVisible()
    await expectNoViolationsInEachLook(page)
    const email = await emailTo(server, fan.email, '販売者の情報をお知らせします')
    expect(email.text).toContain(address)
    await emailTo(server, creator.email, '販売者の情報を開示しました')
    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/settings/seller`)
    const log = page.getByRole('region', { name: '開示の請求の記録' })
    await expect(log.getByText('小野みなと')).toBeVisible()
    await expect(log.getByText('開示しました')).toBeVisible()
  },
)

test(
  'a visitor signs in to request, and the operator answers what is not answered at once',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    await (await apiOf(server.url, creator)).call('PUT', '/seller', body)
    const { user } = await sessionOf(server.url, creator)
    await page.goto(`${network.url}/profile/seller/${user.id}`)
    await expect(facts(page)).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await page.goto(`${network.url}/profile/seller/${crypto.randomUUID()}`)
    await expect(page.getByText('販売者が見つかりません')).toBeVisible()
    await signIn(page, network.url, yuu)
    await page.goto(`${network.url}/profile/seller/${user.id}`)
    await field(page, '請求の理由').fill('届いたものが違うため')
    await press(page, '開示を請求する')
    await expect(page.getByText('請求を受け付けています')).toBeVisible()
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/administration`)
    await page.getByRole('link', { name: '販売者の情報の開示請求' }).click()
    await expect(page.getByRole('main').getByText('届いたものが違うため')).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await press(page, '文で回答する')
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('textbox', { name: '回答' }).fill('運営者が取り次ぎます。')
    await sheet.getByRole('button', { name: '回答を送る' }).click()
    await page.getByRole('dialog').getByLabel('パスワード', { exact: true }).fill(admin.password)
    await page.getByRole('dialog').getByRole('button', { name: '確認する' }).click()
    await expect(page.getByText('確認しました。')).toBeVisible()
    await press(page, '文で回答する')
    await expect(sheet.getByRole('textbox', { name: '回答' })).toHaveValue('運営者が取り次ぎます。')
    await sheet.getByRole('button', { name: '回答を送る' }).click()
    await expect(page.getByText('回答を待つ請求はありません')).toBeVisible()
    const email = await emailTo(server, yuu.email, '開示の請求に回答します')
    expect(email.text).toContain('運営者が取り次ぎます。')
    await signIn(page, network.url, yuu)
    await page.goto(network.url + linkIn(email))
    await expect(page.getByRole('main').getByText('運営者が取り次ぎます。')).toBeVisible()
  },
)
