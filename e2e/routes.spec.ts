// Every route: its access, its title, its layout, and no accessibility findings by axe.
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { defined } from '#contract/testing/defined.ts'
import { axeViolations, axeViolationsInEachLook } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { fan, signIn } from './rig/people/people.ts'
import { runsWhole } from './rig/sample.ts'
import { expect, test } from './rig/story.ts'

// Two of them visit every page and take more than a minute, so they run in parallel.
test.describe.configure({ mode: 'parallel' })

type Access = 'open' | 'guest' | 'member'
type Layout = 'default' | 'head-title' | 'simple'
type Address = readonly [path: string, access: Access, layout: Layout, title: string]

const addresses: readonly Address[] = [
  ['/', 'member', 'default', 'ホーム'],
  ['/about', 'open', 'head-title', 'とどけについて'],
  ['/about/transparency', 'open', 'head-title', '透明性レポート'],
  ['/chat-messages/conversations', 'member', 'default', 'メッセージ'],
  ['/chat-messages/broadcast', 'member', 'head-title', '一斉送信'],
  ['/chat-messages/search-detail', 'member', 'head-title', 'メッセージを検索'],
  ['/confirmed', 'open', 'simple', '登録の確認'],
  ['/contact', 'open', 'head-title', 'お問い合わせ・申立て'],
  ['/creator', 'member', 'head-title', 'クリエイターページ'],
  ['/creator/members', 'member', 'head-title', 'メンバー'],
  ['/forgot-password/step-1', 'open', 'simple', 'パスワードの再設定'],
  ['/forgot-password/mail', 'open', 'simple', 'コードの受け取りと停止'],
  ['/help', 'open', 'head-title', 'ヘルプ'],
  ['/help/account', 'open', 'head-title', 'アカウントのヘルプ'],
  ['/help/general-information', 'open', 'head-title', '基本の使い方'],
  ['/help/member', 'open', 'head-title', 'ユーザーとプライバシーのヘルプ'],
  ['/help/notification', 'open', 'head-title', '通知のヘルプ'],
  ['/help/plan', 'open', 'head-title', 'プランと有料の投稿のヘルプ'],
  ['/login', 'guest', 'simple', 'ログイン'],
  ['/notify', 'member', 'default', '通知'],
  ['/payment/return', 'open', 'simple', 'お支払いの結果'],
  ['/plan', 'member', 'head-title', 'プラン'],
  ['/plan?tab=joined', 'member', 'head-title', 'プラン'],
  ['/plan/add', 'member', 'head-title', 'プランを作る'],
  ['/plan/edit', 'member', 'head-title', 'プランを編集'],
  ['/post/upload', 'member', 'head-title', '投稿'],
  ['/post/upload2', 'member', 'head-title', '投稿'],
  ['/profile/edit', 'member', 'head-title', 'プロフィールを編集'],
  ['/profile/follow', 'member', 'head-title', 'フォロー'],
  ['/purchase-history', 'member', 'head-title', '購入履歴'],
  ['/purchase-history/receipt', 'member', 'head-title', '領収書'],
  ['/register', 'guest', 'simple', '新規登録'],
  ['/register/completed', 'member', 'simple', '登録が完了しました'],
  ['/search', 'member', 'default', '検索'],
  ['/settings', 'member', 'head-title', '設定'],
  ['/settings/bank-account', 'member', 'head-title', '振込先の口座'],
  ['/settings/blocklist_bk', 'member', 'head-title', 'ブロックとミュート'],
  ['/settings/commercial-transactions-act', 'open', 'head-title', '特定商取引法に基づく表記'],
  ['/settings/notification', 'member', 'head-title', '通知の設定'],
  ['/settings/privacy-and-security', 'member', 'head-title', 'プライバシーと安全'],
  ['/settings/privacy-policy', 'open', 'head-title', 'プライバシーポリシー'],
  ['/settings/reports', 'member', 'head-title', '通報と処分の履歴'],
  ['/settings/sales-management', 'member', 'head-title', '売上管理'],
  ['/settings/sales-management/entries', 'member', 'head-title', '売上の明細'],
  ['/settings/sales-management/payouts', 'member', 'head-title', '振込'],
  ['/settings/sales-management/statement', 'member', 'head-title', '支払明細書'],
  ['/settings/sales-management/statements', 'member', 'head-title', '支払明細書の一覧'],
  ['/settings/seller', 'member', 'head-title', '販売者の情報'],
  ['/settings/terms-of-service', 'open', 'head-title', '利用規約'],
  ['/test-upload', 'member', 'head-title', '通信テスト'],
  ['/user/account-recovery', 'open', 'simple', 'ログインの復旧'],
  ['/user/completed', 'member', 'simple', '変更が完了しました'],
  ['/user/completed-identity', 'member', 'simple', '提出の受付'],
  ['/user/completed-live-action', 'member', 'simple', '顔の動画'],
  ['/user/data-export', 'member', 'simple', 'データのダウンロード'],
  ['/user/delete-account', 'member', 'head-title', 'アカウントの削除'],
  ['/user/delete-account/purchases', 'member', 'simple', '購入履歴と領収書'],
  ['/user/delete-account/undo', 'open', 'simple', '削除の取り消し'],
  ['/user/info', 'member', 'head-title', 'アカウント情報'],
  ['/user/password-validation', 'member', 'simple', 'パスワードの確認'],
  ['/user/verification', 'member', 'head-title', '本人確認'],
  ['/user/verify-identity', 'member', 'head-title', '本人確認の手続き'],
]

/** Later steps of a form: opened without the previous step, each leads to that one. */
const steps = [
  ['/forgot-password/step-2', 'open', '/forgot-password/step-1'],
  ['/forgot-password/step-3', 'open', '/forgot-password/step-1'],
  ['/forgot-password/step-4', 'open', '/forgot-password/step-1'],
  ['/register/send-mail', 'open', '/register'],
  ['/search/result', 'member', '/search'],
  ['/user/change-email', 'member', '/user/password-validation'],
  ['/user/change-password', 'member', '/user/password-validation'],
  ['/user/delete-account/waiting', 'member', '/user/delete-account'],
] as const

/** Addresses with parameters (in `accessibility.spec.ts`, `bought-posts.spec.ts`, `buying.spec.ts`, `messages.spec.ts` and `seller.spec.ts`), the galleries, and pages of staff (`administration.spec.ts`, `operator-notices.spec.ts`). */
const elsewhere = [
  '/chat-messages/$id',
  '/payment',
  '/post/$id',
  '/profile/$id',
  '/profile/seller/$id',
  '/notify/detail/$id',
  '/dev/media',
  '/dev/ui',
  '/administration',
  '/admin/report',
  '/appeal',
  '/appeal/purchases',
  '/admin/notice',
  '/admin/notice/add',
  '/admin/notice/edit/$id',
]

const pathNow = (page: Page) => () => new URL(page.url()).pathname

const violations = runsWhole ? axeViolationsInEachLook : (page: Page) => axeViolations(page)

/** Navigates inside the app, without a page load. */
async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => window.history.pushState({}, '', to), path)
}

/** The title of a member's page begins with the number of unread notifications. */
const named = (page: Page, title: string) =>
  expect.soft(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?${title} \\| とどけ$`))

/** Checks a layout: the header with title and back button, the app's header, or neither. */
async function expectLayout(page: Page, layout: Layout, title: string): Promise<void> {
  const [header, main] = [page.getByRole('banner'), page.getByRole('main')]
  await expect.soft(main, title).toBeVisible()
  await expect.soft(page.getByRole('heading', { level: 1 }), title).toHaveCount(1)
  switch (layout) {
    case 'head-title':
      await expect.soft(header.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await expect.soft(header.getByRole('button', { name: '戻る' })).toBeVisible()
      return
    case 'default':
      await expect.soft(header.getByRole('link', { name: 'とどけ' })).toBeVisible()
      return
    case 'simple':
      await expect.soft(header, title).toHaveCount(0)
      await expect.soft(main.getByRole('heading', { level: 1 }), title).toBeVisible()
      return
    default:
      layout satisfies never
  }
}

/**
 * Opens every page and runs every rule of axe: in every look in a whole run, and else on a light phone, since the other
 * looks differ in colours and width.
 */
async function walk(page: Page, pages: readonly Address[]): Promise<void> {
  for (const [path, , layout, title] of pages) {
    await navigate(page, path)
    await named(page, title)
    await expectLayout(page, layout, title)
    // Settled: the page has its title and its layout, and the check waits for its animations.
    expect.soft(await violations(page), path).toEqual([])
  }
}

test('every route of the app is in the table', () => {
  const [, tree] =
    /fullPaths:\n([^:]*)\n {2}fileRoutesByTo/.exec(readFileSync('src/routeTree.gen.ts', 'utf8')) ?? []
  const routes = (tree ?? '').match(/\/[^']*/g) ?? []
  const known = new Set<string>([...[...addresses, ...steps].map(([path]) => path), ...elsewhere])
  expect(routes.length).toBeGreaterThan(40)
  expect(routes.map((path) => path.replace(/(.)\/$/, '$1')).filter((path) => !known.has(path))).toEqual([])
})

test(
  'a visitor can open the open and guest pages; every other page leads to the login page',
  { tag: '@deep' },
  async ({ network, phone: { page } }) => {
    await page.goto(`${network.url}/about`)
    await walk(
      page,
      addresses.filter(([, access]) => access !== 'member'),
    )
    for (const [path, access, before] of steps) {
      if (access !== 'open') continue
      await navigate(page, path)
      await expect.soft.poll(pathNow(page), path).toBe(before)
    }
    for (const [path, access] of [...addresses, ...steps]) {
      if (access !== 'member') continue
      await navigate(page, '/about')
      await named(page, 'とどけについて')
      await navigate(page, path)
      const expected = path === '/' ? '/login' : `/login?to=${encodeURIComponent(path)}`
      await expect.soft(page).toHaveURL(network.url + expected)
    }
  },
)

test('a member can open everything but guest pages, which lead to the home page', async ({
  network,
  phone: { page },
}) => {
  await signIn(page, network.url, fan)
  for (const [path, access] of addresses) {
    if (access !== 'guest') continue
    await navigate(page, '/help')
    await named(page, 'ヘルプ')
    await navigate(page, path)
    await expect.soft(page).toHaveURL(`${network.url}/`)
  }
  for (const [path, access, before] of steps) {
    if (access !== 'member') continue
    await navigate(page, path)
    await expect.soft.poll(pathNow(page), path).toBe(before)
  }
  await walk(
    page,
    addresses.filter(([, access]) => access === 'member'),
  )
})

test('every link of the help and legal pages leads to an existing page', async ({
  network,
  phone: { page },
}) => {
  await signIn(page, network.url, fan)
  const found = new Set<string>()
  for (const [path, access, layout, title] of addresses) {
    if (access !== 'open' || layout !== 'head-title') continue
    await navigate(page, path)
    await expect(page.getByRole('banner').getByRole('heading', { level: 1, name: title })).toBeVisible()
    const links = page.getByRole('main').locator('a[href^="/"]')
    for (const href of await links.evaluateAll((all) => all.map((it) => it.getAttribute('href') ?? '')))
      found.add(href)
  }
  expect(found.size).toBeGreaterThan(10)
  // The stories above open each of these.
  const known = new Set<string>([...addresses, ...steps].map(([path]) => path))
  expect([...found].filter((href) => !known.has(defined(href.split('#')[0])))).toEqual([])
  for (const href of found) {
    const [, anchor] = href.split('#')
    if (!anchor) continue
    await navigate(page, href)
    await expect.soft(page.locator(`[id="${anchor}"]`), href).toBeVisible()
  }
})

test('the legal pages can be read offline after they were opened once', async ({
  network,
  phone: { page },
}) => {
  await page.goto(`${network.url}/settings/privacy-policy`)
  await expect(page.getByRole('heading', { name: '12. 窓口' })).toBeVisible()
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  network.cut()
  await reload(page, nothingWritten)
  await expect(page.getByRole('heading', { name: '12. 窓口' })).toBeVisible()
  await expect(page.getByText('ご請求があった場合は、遅滞なく開示いたします。').first()).toBeVisible()
  await page.goto(`${network.url}/help/account#sign-out`)
  await expect(page.getByText('同じアカウントでもう一度ログインすると、続きから送信します。')).toBeVisible()
})
