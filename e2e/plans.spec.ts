// A creator's plans: created, shown to fans, changed, ordered, chosen for a post, and closed.
import type { Page } from '@playwright/test'
import type { OwnPlan } from '#contract/plans/plans.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { apiOf } from './rig/people/api.ts'
import { joinPlan } from './rig/people/buying.ts'
import { akari, creator, fan, kami, signIn, yuu } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

test.use({ ownServer: true })

const heading = (page: Page, name: string) => page.getByRole('heading', { name })
const field = (page: Page, name: string) => page.getByRole('textbox', { name })

async function fillPlan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'プランを作る' }).click()
  await expect(page.getByText('入力必須項目です。')).toHaveCount(2)
  await expect(field(page, 'プランの名前')).toBeFocused()
  await field(page, 'プランの名前').fill('夜の灯りプラン')
  await field(page, '月額（税込）').fill('99.5')
  await field(page, '特典の内容').fill('夜の港の写真を、週に一度お届けします。')
  await expect(page.getByText('小数点を使わず、1円単位で入力してください（例：1,000）')).toBeVisible()
  await field(page, '月額（税込）').fill('１，０００')
  await page.getByRole('radio', { name: '加入後の投稿だけ見られる' }).click()
  await field(page, '人数の上限').fill('20')
}

test(
  'a creator creates a plan with a picture, fans see it; it is changed, ordered and closed',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const other = await apiOf(server.url, fan)
    const me = await apiOf(server.url, creator)
    const shownToFan = async () => {
      const { plans } = (await other.call('GET', `/users/${me.id}`)) as {
        plans: { name: string; price: number; state: string; picture: object | null }[]
      }
      return plans.map(({ name, price, state, picture }) => ({
        name,
        price,
        state,
        picture: picture !== null,
      }))
    }
    await signIn(page, network.url, creator)
    await page.goto(`${network.url}/plan`)
    await page.getByRole('link', { name: 'プランを作る' }).click()
    await fillPlan(page)
    await page
      .getByRole('link', { name: '戻る' })
      .or(page.getByRole('button', { name: '戻る' }))
      .click()
    await page.getByRole('link', { name: 'プランを作る' }).click()
    await expect(page.getByText('前回入力した内容を復元しました。')).toBeVisible()
    await expect(field(page, 'プランの名前')).toHaveValue('夜の灯りプラン')
    await page.getByLabel('プランの画像を変更').last().setInputFiles('public/icons/icon-512.png')
    await page
      .getByRole('dialog', { name: '表示する範囲' })
      .getByRole('button', { name: 'この範囲を使う' })
      .click()
    await expectNoViolationsInEachLook(page)
    await page.getByRole('button', { name: 'プランを作る' }).click()
    await expect(heading(page, '夜の灯りプラン')).toBeVisible()
    await expect(page.getByText('まだメンバーがいません')).toBeVisible()
    await expect(page.getByText('加入したあとに公開された投稿を見られます。')).toBeVisible()
    const made = { name: '夜の灯りプラン', price: 1000, state: 'open' }
    await expect.poll(shownToFan).toContainEqual({ ...made, picture: true })
    await expectNoViolationsInEachLook(page)

    await page.getByRole('link', { name: '編集' }).click()
    await expect(field(page, '月額（税込）')).toHaveValue('1,000')
    await field(page, '月額（税込）').fill('1,200')
    await page.getByRole('switch', { name: '新しい加入を受け付ける' }).click()
    await page.getByRole('button', { name: '保存する' }).click()
    await expect(page.getByText('受付停止中')).toBeVisible()
    await expect.poll(shownToFan).toContainEqual({ ...made, price: 1200, state: 'paused', picture: true })

    await page.getByRole('link', { name: 'すべてのプラン' }).click()
    await page.getByRole('button', { name: '並べ替える' }).click()
    const up = page.getByRole('button', { name: '「夜の灯りプラン」を上へ' })
    await up.press('Enter')
    await up.press('Enter')
    await expect(up).toBeDisabled()
    await expect.poll(async () => (await shownToFan())[0]?.name).toBe('夜の灯りプラン')
    await page.getByRole('button', { name: '並べ替えを終える' }).click()
    await expectNoViolationsInEachLook(page)

    await page.getByRole('link', { name: '夜の灯りプラン' }).click()
    await page.getByRole('link', { name: '編集' }).click()
    await page.getByRole('button', { name: '終了日を決める' }).click()
    await page.getByRole('button', { name: 'この日に終了する' }).click()
    await expect(page.getByText(/に終了します。内容は変更できません。/)).toBeVisible()
    await expect.poll(shownToFan).toContainEqual({ ...made, price: 1200, state: 'closing', picture: true })

    await page.getByRole('button', { name: '戻る' }).click()
    await page.goto(`${network.url}/plan`)
    await page.getByRole('link', { name: '朝の海プラン' }).click()
    await expect(page.getByRole('link', { name: '小野みなと', exact: true })).toBeVisible()
    await expect(
      page.getByRole('feed', { name: 'このプランの投稿' }).getByRole('article').first(),
    ).toBeVisible()
  },
)

test(
  'a fan sees the joined plans; without an identity check /plan/add leads to it',
  { tag: '@deep' },
  async ({ network, phone: { page } }) => {
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/plan?tab=joined`)
    await expect(page.getByText('朝の海プラン')).toBeVisible()
    await page.goto(`${network.url}/plan/add`)
    await expect(page.getByText('プランを作るには、本人確認の承認が必要です。')).toBeVisible()
    await page.getByRole('link', { name: '本人確認へ進む' }).click()
    await expect(page).toHaveURL(`${network.url}/user/verification`)
    await page.goto(`${network.url}/plan/edit?id=0192f0c0-0000-7000-8000-000000000000`)
    await expect(heading(page, 'プランが見つかりません')).toBeVisible()
    await signIn(page, network.url, kami)
    await page.goto(`${network.url}/plan`)
    await expect(page.getByText('まだプランがありません')).toBeVisible()
  },
)

test('an edit that opens a dearer plan to members asks first, and saves nothing unless it is confirmed', async ({
  server,
  network,
  phone: { page },
}) => {
  const me = await apiOf(server.url, creator)
  const plans = async () => ((await me.call('GET', '/plans/own')) as { plans: OwnPlan[] }).plans
  const prices = async () => (await plans()).map((it) => it.price)
  const [morning, atelier] = await plans()
  if (!morning || !atelier) throw new Error('the demo has no plans')
  for (const person of [akari, yuu]) await joinPlan(server.url, await apiOf(server.url, person), morning)
  await signIn(page, network.url, creator)
  await page.goto(`${network.url}/plan/edit?id=${atelier.id}`)
  await field(page, '月額（税込）').fill('400')
  await page.getByRole('button', { name: '保存する' }).click()
  const question = page.getByRole('alertdialog', { name: 'メンバーが見られる投稿が増えます' })
  await expect(
    question.getByText('「朝の海プラン」の2人が、「アトリエプラン」の投稿も見られるようになります。'),
  ).toBeVisible()
  await expectNoViolationsInEachLook(page)
  await question.getByRole('button', { name: '内容を見直す' }).click()
  await expect(question).toHaveCount(0)
  await expect(page.getByText('まだ保存していません。')).toBeVisible()
  await expect.poll(prices).toEqual([500, 1500])
  await field(page, '月額（税込）').fill('4000')
  await page.getByRole('button', { name: '保存する' }).click()
  await expect(heading(page, 'アトリエプラン')).toBeVisible()
  await expect.poll(prices).toEqual([500, 4000])

  await page.goto(`${network.url}/plan/add`)
  await field(page, 'プランの名前').fill('はじめの一歩')
  await field(page, '月額（税込）').fill('300')
  await field(page, '特典の内容').fill('小さな絵をお届けします。')
  await page.getByRole('button', { name: 'プランを作る' }).click()
  await expect(question.getByText('「朝の海プラン」の2人が、「はじめの一歩」の投稿も')).toBeVisible()
  await question.getByRole('button', { name: 'プランを作る' }).click()
  await expect(heading(page, 'はじめの一歩')).toBeVisible()
  await expect.poll(prices).toEqual([500, 4000, 300])
})
