// Deleting an account: seven days to cancel, and the export of its data.
import type { Page } from '@playwright/test'
import type { OwnPlan } from '#contract/plans/plans.ts'
import { defined } from '#contract/testing/defined.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { apiOf } from './rig/people/api.ts'
import { joinPlan } from './rig/people/buying.ts'
import { emailTo, linkIn } from './rig/people/mail.ts'
import {
  creator,
  fan,
  fillSignIn,
  signInByCookie,
  type Person,
  sessionOf,
  signIn,
} from './rig/people/people.ts'
import { getAs } from './rig/people/sessions.ts'
import type { Server } from './rig/network/server.ts'
import { expect, test } from './rig/story.ts'
import { readZip } from './rig/posting/zip.ts'

test.use({ ownServer: true })

const main = (page: Page) => page.getByRole('main')
const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })

async function prove(page: Page, person: Person): Promise<void> {
  await expect(page).toHaveURL(/\/user\/password-validation/)
  await page.getByLabel('パスワード', { exact: true }).fill(person.password)
  await button(page, '確認する').click()
}

/** Requests the deletion and waits for the page that confirms it. */
async function giveUp(page: Page, url: string, person: Person): Promise<void> {
  await page.goto(`${url}/user/delete-account`)
  await main(page).getByText('投稿がうまく届かない').click()
  await page.getByRole('textbox', { name: /詳しい理由/ }).fill('山では電波が入りません')
  await button(page, '削除の確認へ進む').click()
  await prove(page, person)
  await expect(page).toHaveURL(`${url}/user/delete-account`)
  await expect(page.getByRole('radio', { name: '投稿がうまく届かない' })).toBeChecked()
  await expect(page.getByRole('textbox', { name: /詳しい理由/ })).toHaveValue('山では電波が入りません')
  await button(page, '削除の確認へ進む').click()
  await page.getByRole('alertdialog').getByRole('button', { name: '削除を申し込む' }).click()
  await expect(page).toHaveURL(`${url}/user/delete-account/waiting`)
}

/** Requests for data that others can read: profile, posts, pictures of a post. */
async function seen(server: Server, id: string, picture: string): Promise<readonly number[]> {
  const listed = await getAs(server.url, fan, `/posts?author=${id}`)
  const { posts } = (await listed.json()) as { posts: unknown[] }
  const [profile, file] = await Promise.all([
    getAs(server.url, fan, `/users/${id}`),
    fetch(server.url + picture),
  ])
  return [profile.status, Math.min(1, posts.length), file.status]
}

async function pictureOf(server: Server, id: string): Promise<string> {
  const answer = await getAs(server.url, fan, `/users/${id}`)
  return ((await answer.json()) as { avatar_url: string }).avatar_url
}

test(
  'a deletion is requested and cancelled by the link of its email, and all data is visible again',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const { user } = await sessionOf(server.url, creator)
    const picture = await pictureOf(server, user.id)
    await signIn(page, network.url, creator)
    await expect.poll(() => seen(server, user.id, picture)).toEqual([200, 1, 200])
    await giveUp(page, network.url, creator)
    await expect.poll(() => seen(server, user.id, picture)).toEqual([404, 0, 404])
    await page.goto(`${network.url}/post/upload2`)
    await expect(page).toHaveURL(`${network.url}/user/delete-account/waiting`)
    await expectNoViolationsInEachLook(page)
    await button(page, 'ログアウト').click()
    await expect(page).toHaveURL(/\/login/)
    const link = linkIn(await emailTo(server, creator.email, '削除'))
    await page.goto(network.url + link)
    await expect(page).toHaveURL(`${network.url}/user/delete-account/undo`)
    await button(page, '削除を取り消す').click()
    await expect(main(page).getByText('削除を取り消しました。')).toBeVisible()
    await expect.poll(() => seen(server, user.id, picture)).toEqual([200, 1, 200])
    await page.getByRole('link', { name: 'ログインする' }).click()
    await fillSignIn(page, creator)
    await expect(page).toHaveURL(`${network.url}/`)
    await page.goto(network.url + link)
    await button(page, '削除を取り消す').click()
    await expect(main(page).getByText('このリンクは使えません。')).toBeVisible()
  },
)

test(
  'a fan is told which plans a deletion stops, and that they do not go on by themselves; one press goes on with them',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const [me, seller] = [await apiOf(server.url, fan), await apiOf(server.url, creator)]
    const { plans } = (await seller.call('GET', '/plans/own')) as { plans: OwnPlan[] }
    const atelier = defined(plans.find((it) => it.name === 'アトリエプラン'))
    await joinPlan(server.url, me, atelier)
    await signIn(page, network.url, fan)
    await page.goto(`${network.url}/user/delete-account`)
    const plan = main(page).getByRole('list', { name: '加入中のプラン' }).getByRole('listitem')
    await expect(plan).toContainText('アトリエプラン')
    await expect(plan).toContainText('月額1,500円')
    await expect(plan).toContainText('申し込むと、自動更新を止めます。')
    await expectNoViolationsInEachLook(page)
    await button(page, '削除の確認へ進む').click()
    await prove(page, fan)
    await button(page, '削除の確認へ進む').click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('加入中のプラン1件の自動更新を止めます。')
    await question.getByRole('button', { name: '削除を申し込む' }).click()
    await expect(main(page)).toContainText('の自動更新を止めました。取り消しても、止まったままです。')
    await button(page, '削除を取り消す').click()
    await expect(page).toHaveURL(`${network.url}/plan?tab=joined`)
    await expect(main(page)).toContainText(
      'アカウントの削除の手続きか利用の停止により、自動更新を止めました。続けるときは「加入を続ける」を押してください。',
    )
    await button(page, '加入を続ける（アトリエプラン）').click()
    await question.getByRole('button', { name: '加入を続ける' }).click()
    await expect(button(page, '解約（アトリエプラン）')).toBeVisible()
  },
)

test(
  'signing in before the deletion leads to the page that cancels it',
  { tag: '@deep' },
  async ({ network, phone, newPhone }) => {
    await signIn(phone.page, network.url, creator)
    await giveUp(phone.page, network.url, creator)
    const { page } = await newPhone()
    await page.goto(`${network.url}/login`)
    await fillSignIn(page, creator)
    await expect(page).toHaveURL(`${network.url}/user/delete-account/waiting`)
    await button(page, '削除を取り消す').click()
    await expect(page).toHaveURL(`${network.url}/`)
    await expect(page.getByText('削除を取り消しました。')).toBeVisible()
  },
)

test(
  'after eight days the account is deleted, and signing in is refused as for an unknown address',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const { user } = await sessionOf(server.url, creator)
    const picture = await pictureOf(server, user.id)
    await signIn(page, network.url, creator)
    await giveUp(page, network.url, creator)
    await server.stop()
    await server.start(8)
    await emailTo(server, creator.email, '削除しました')
    await expect.poll(() => seen(server, user.id, picture)).toEqual([404, 0, 404])
    await page.goto(`${network.url}/`)
    await expect(page).toHaveURL(/\/login/)
    await fillSignIn(page, creator)
    await expect(main(page).getByText('メールアドレスまたはパスワードが違います。')).toBeVisible()
  },
)

test(
  'an export is requested, announced by email, and downloaded as a zip',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/user/delete-account`)
    await button(page, 'ダウンロード用ファイルを作成する').click()
    await prove(page, creator)
    await button(page, 'ダウンロード用ファイルを作成する').click()
    await expect(main(page).getByText('ダウンロードできます')).toBeVisible()
    await page.goto(network.url + linkIn(await emailTo(server, creator.email, 'データ')))
    await expect(page).toHaveURL(`${network.url}/user/data-export`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(page, 'ダウンロード').click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^todoke-\d{4}-\d\d-\d\d\.zip$/)
    const zip = await readZip(await download.path())
    const profile = JSON.parse(defined(zip.get('profile.json')).toString()) as { email: string }
    expect(profile.email).toBe(creator.email)
    const posts = JSON.parse(defined(zip.get('posts.json')).toString()) as { files: { file: string }[] }[]
    const named = posts.flatMap((it) => it.files.map((file) => file.file))
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => (zip.get(name)?.length ?? 0) === 0)).toEqual([])
  },
)

test(
  'the secret of an export’s link is in no request and no address, also through a sign-in and a reload',
  { tag: '@deep' },
  async ({ server, network, phone, newPhone }) => {
    await signInByCookie(phone.page, network.url, creator)
    await phone.page.goto(`${network.url}/user/delete-account`)
    await button(phone.page, 'ダウンロード用ファイルを作成する').click()
    await prove(phone.page, creator)
    await button(phone.page, 'ダウンロード用ファイルを作成する').click()
    await expect(main(phone.page).getByText('ダウンロードできます')).toBeVisible()
    const link = linkIn(await emailTo(server, creator.email, 'データ'))
    const secret = defined(/#token=([\w-]{43})$/.exec(link)?.[1])

    const { page } = await newPhone()
    // Cookies are not in these headers.
    const told: string[] = []
    page.on('request', (it) => told.push(it.url().replace(/#.*/, ''), JSON.stringify(it.headers())))
    await page.goto(network.url + link)
    await expect(page).toHaveURL(`${network.url}/login?to=%2Fuser%2Fdata-export`)
    await reload(page, nothingWritten)
    await fillSignIn(page, creator)
    await expect(page).toHaveURL(`${network.url}/user/data-export`)
    await reload(page, nothingWritten)
    const started = page.waitForEvent('download')
    await button(page, 'ダウンロード').click()
    // Settled: a download has its name from its beginning.
    expect((await started).suggestedFilename()).toMatch(/^todoke-.*\.zip$/)
    expect(told.filter((it) => it.includes(secret))).toEqual([])
    expect(told).toContainEqual(expect.stringMatching(/\/api\/user\/export\/file$/))

    // A link of an earlier version, then another one in the open page.
    await page.goto(`${network.url}/user/data-export?token=${secret}`)
    await expect(page).toHaveURL(`${network.url}/user/data-export`)
    await page.evaluate(() => void (window.location.hash = 'token=other'))
    await expect(page).toHaveURL(`${network.url}/user/data-export`)
    await button(page, 'ダウンロード').click()
    await expect(main(page).getByText('このリンクは使えません。')).toBeVisible()
  },
)

test(
  'posts and drafts that only this device has are listed before the request',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await signInByCookie(page, network.url, creator)
    await page.goto(`${network.url}/post/upload2`)
    await page.getByRole('textbox', { name: '本文' }).fill('峠の夕焼け')
    await expect(page.getByText('下書きを保存しました')).toBeVisible()
    await page.goto(`${network.url}/user/delete-account`)
    const named = main(page).getByRole('region', { name: 'この端末に残っているもの' })
    await expect(named.getByText('下書き　1件')).toBeVisible()
    await expect(named.getByText('峠の夕焼け')).toBeVisible()
  },
)
