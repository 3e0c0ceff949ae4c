// Staff write, publish, change and withdraw a notice; a fan reads it.
import type { Page } from '@playwright/test'
import { newId } from '#contract/ids.ts'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressAnywhere, pressOn } from './rig/browsers/keyboard.ts'
import { nothingWritten, reload, storedOnDevice } from './rig/browsers/leaving.ts'
import { apiOf } from './rig/people/api.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { admin, fan, signIn } from './rig/people/people.ts'
import { expect, test } from './rig/story.ts'

// A notice reaches everyone of a server.
test.use({ ownServer: true })

const title = '年末年始の振込日について'
const body = `いつもとどけをご利用いただき、ありがとうございます。

## 振込日

12月分の振込は、**12月28日（月）**に行います。

- 申請の締め切り：12月24日
- [ヘルプ](https://todoke.example/help)

<script>alert(1)</script>`

const look = async (page: Page, name: string) => await expectNoViolationsInEachLook(page, name)

const status = (page: Page) => page.getByRole('region', { name: '配信の状況' })
const bars = (page: Page) => page.getByRole('region', { name: '重要なお知らせ' })
const article = (page: Page) => page.getByRole('article')

/** A time of Asia/Tokyo in so many hours, as its field takes it. */
const inHours = (hours: number) => new Date(Date.now() + (hours + 9) * 3600_000).toISOString().slice(0, 16)

/** Writes a draft on the page of a new notice, and stores it. */
async function writeDraft(page: Page): Promise<void> {
  await page.getByRole('button', { name: '下書きを保存' }).click()
  await expect(page.getByText('題名を入力してください。')).toBeVisible()
  await page.getByLabel('題名').fill(title)
  await page.getByLabel('本文').fill(body)
  await page.getByRole('checkbox', { name: '画面の上に重要なお知らせとして表示する' }).click()
  const preview = article(page)
  await expect(preview.getByRole('heading', { name: '振込日', exact: true })).toBeVisible()
  await expect(preview.getByText('12月28日（月）', { exact: true })).toHaveCSS('font-weight', '600')
  await expect(preview.getByText('<script>alert(1)</script>')).toBeVisible()
  await look(page, 'a new notice')
  await page.getByRole('button', { name: '下書きを保存' }).click()
  await expect(page).toHaveURL(/\/admin\/notice\/edit\//)
  await expect(page.getByRole('heading', { level: 1, name: 'お知らせの編集' })).toBeVisible()
}

/** Schedules the open draft, and then publishes it at once. */
async function scheduleAndPublish(page: Page): Promise<void> {
  await status(page).getByRole('button', { name: '公開を予約' }).click()
  const schedule = page.getByRole('dialog', { name: '公開を予約' })
  await schedule.getByLabel('公開する日時（日本時間）').fill(inHours(-1))
  await schedule.getByRole('button', { name: '公開を予約' }).click()
  await confirmAdmin(page)
  await schedule.getByRole('button', { name: '公開を予約' }).click()
  await expect(schedule.getByText('これからの日時を入力してください。')).toBeVisible()
  await look(page, 'a wrong time')
  await schedule.getByLabel('公開する日時（日本時間）').fill(inHours(24))
  await schedule.getByRole('button', { name: '公開を予約' }).click()
  await expect(status(page).getByText('予約', { exact: true })).toBeVisible()
  await status(page).getByRole('button', { name: '公開する' }).click()
  const publish = page.getByRole('dialog', { name: '公開する' })
  await expect(publish.getByText(/^\d+人$/)).toBeVisible()
  await look(page, 'publishing')
  await publish.getByRole('button', { name: '公開する' }).click()
  // The page follows the batches by itself.
  await expect(status(page).getByText('公開済み', { exact: true })).toBeVisible()
}

/** A visitor sees the bar; a fan reads the notice from it, closes it, and opens the list of notifications. */
async function readFromBar(reader: Page, url: string): Promise<void> {
  await reader.goto(`${url}/about`)
  await expect(bars(reader).getByText(title)).toBeVisible()
  await look(reader, 'the bar of a visitor')
  await signIn(reader, url, fan)
  await bars(reader).getByRole('link', { name: title }).click()
  await expect(article(reader).getByRole('heading', { name: title })).toBeVisible()
  const link = article(reader).getByRole('link', { name: 'ヘルプ' })
  await expect(link).toHaveAttribute('href', 'https://todoke.example/help')
  await look(reader, 'the notice')
  await bars(reader)
    .getByRole('button', { name: `「${title}」を閉じる` })
    .press('Enter')
  await expect(bars(reader)).toBeHidden()
  await reader.goto(`${url}/notify`)
}

/** With a slow server the reader sees the stored notice, until the reply says that it is withdrawn. */
async function losesWithdrawn(reader: Page): Promise<void> {
  let answer = () => {}
  const late = new Promise<void>((done) => (answer = done))
  const address = `**/api/notices/${new URL(reader.url()).pathname.split('/').at(-1)}`
  await reader.context().route(address, async (route) => {
    await late
    await route.continue()
  })
  await reload(reader, nothingWritten)
  await expect(article(reader).getByRole('heading', { name: title })).toBeVisible()
  answer()
  await expect(reader.getByText('このお知らせは表示できません')).toBeVisible()
  await reader.context().unroute(address)
}

test(
  'a notice is written, scheduled, published, read, changed and withdrawn',
  { tag: '@deep' },
  async ({ network, phone: { page }, newPhone }) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/administration`)
    await page.getByRole('link', { name: 'お知らせの管理' }).click()
    const table = page.getByRole('table', { name: 'お知らせの管理' })
    await pressAnywhere(table, '?')
    const help = page.getByRole('dialog', { name: 'キーボード操作' })
    await expect(help).toBeVisible()
    await look(page, 'keys')
    await pressOn(help, 'Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await pressAnywhere(table, 'n')
    await expect(page).toHaveURL(`${network.url}/admin/notice/add`)
    await writeDraft(page)
    await scheduleAndPublish(page)

    const { page: reader } = await newPhone()
    await readFromBar(reader, network.url)
    const listed = reader.getByRole('listitem').filter({ hasText: title })
    await expect(listed).toBeVisible()
    await expect(bars(reader)).toBeHidden()

    // A change is marked; the notification stays.
    await page.getByLabel('題名').fill(`${title}（更新）`)
    await page.getByRole('button', { name: '変更を保存' }).click()
    await expect(page.getByText('保存しました。')).toBeVisible()
    await reload(page, nothingWritten)
    await expect(status(page).getByText('読んだ人：1人', { exact: false })).toBeVisible()
    await listed.getByRole('link').click()
    await expect(article(reader).getByText(/^編集済み（/)).toBeVisible()

    // The list at the width of a phone, by keyboard.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('link', { name: 'お知らせの一覧' }).click()
    const row = page.getByRole('table').getByRole('link', { name: `${title}（更新）` })
    await expect(row).toBeVisible()
    await look(page, 'the list on a phone')
    await pressAnywhere(row, 'j')
    await pressOn(row, 'e')
    await expect(page.getByRole('heading', { level: 1, name: 'お知らせの編集' })).toBeVisible()
    await look(page, 'a published notice on a phone')
    await status(page).getByRole('button', { name: '取り下げる' }).click()
    const withdraw = page.getByRole('dialog', { name: '取り下げる' })
    await withdraw.getByRole('button', { name: '取り下げる' }).click()
    await expect(status(page).getByText('取り下げ', { exact: true })).toBeVisible()
    await losesWithdrawn(reader)
    await reader.goto(`${network.url}/notify`)
    await expect(reader.getByRole('heading', { level: 1, name: '通知' })).toBeVisible()
    await expect(listed).toBeHidden()
  },
)

const stored = (page: Page) => page.getByText('前回入力した内容を復元しました。')

test(
  'what is typed in a notice stays when the page is left, until it is stored or given up',
  { tag: '@deep' },
  async ({ network, phone: { page } }) => {
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/admin/notice/add`)
    await page.getByLabel('題名').fill('書きかけの題名')
    await page.getByRole('checkbox', { name: '画面の上に重要なお知らせとして表示する' }).click()
    await page.getByRole('link', { name: 'お知らせの一覧' }).click()
    await storedOnDevice(page, ['書きかけの題名'])
    await page.goto(`${network.url}/admin/notice/add`)
    await expect(page.getByLabel('題名')).toHaveValue('書きかけの題名')
    await expect(page.getByRole('checkbox', { name: '画面の上に重要なお知らせとして表示する' })).toBeChecked()
    await expect(stored(page)).toBeVisible()
    await look(page, 'a restored notice')
    await page.getByRole('button', { name: '下書きを保存' }).click()
    await expect(page).toHaveURL(/\/admin\/notice\/edit\//)
    await page.getByLabel('本文').fill('書きかけの本文')
    await reload(page, ['書きかけの本文'])
    await expect(page.getByLabel('本文')).toHaveValue('書きかけの本文')
    await page.getByRole('button', { name: '元に戻す' }).click()
    await expect(page.getByLabel('本文')).toHaveValue('')
    await page.goto(`${network.url}/admin/notice/add`)
    await expect(page.getByLabel('題名')).toHaveValue('')
    await expect(stored(page)).toBeHidden()
  },
)

/** Publishes the open draft at once, and stops its delivery as soon as it has begun. */
async function publishAndStop(page: Page): Promise<void> {
  await status(page).getByRole('button', { name: '公開する' }).click()
  const publish = page.getByRole('dialog', { name: '公開する' })
  const act = publish.getByRole('button', { name: '公開する' })
  await act.click()
  await confirmAdmin(page)
  await act.click()
  await status(page).getByRole('button', { name: '配信を停止' }).click()
  await expect(status(page).getByText('停止中', { exact: true })).toBeVisible()
}

test(
  'a notice to many people is stopped half way, resumed, and reaches each of them once',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    // Batches of one person, so that the delivery takes longer than the press of a button.
    await server.change(
      `insert into users (id, email, password_hash, name, birth_date, created_at)
       select gen_random_uuid(), gen_random_uuid() || '@example.com', '', 'x', '1990-01-01', now() from generate_series(1, 1000)`,
      [],
      { NOTICE_BATCH_SIZE: '1' },
    )
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/admin/notice/add`)
    await page.getByLabel('題名').fill('メンテナンスのお知らせ')
    await page.getByLabel('本文').fill('メンテナンスを行います。')
    await page.getByRole('button', { name: '下書きを保存' }).click()
    await expect(page).toHaveURL(/\/admin\/notice\/edit\//)
    const id = new URL(page.url()).pathname.split('/').at(-1)
    await publishAndStop(page)

    const progress = status(page).getByText(/^届いた人：[\d,]+ \/ [\d,]+人$/)
    // Settled: a stop waits for the batch that is being delivered, and no other one follows.
    const before = (await progress.textContent()) ?? ''
    const [reached = 0, total = 0] = before.replaceAll(',', '').match(/\d+/g)?.map(Number) ?? []
    expect(total).toBeGreaterThan(1000)
    expect(reached).toBeLessThan(total)
    await look(page, 'a stopped notice')
    // The rest is delivered in batches of the usual size, since a thousand take minutes on a busy machine.
    await server.stop()
    await server.start()
    await reload(page, nothingWritten)
    await expect(progress).toHaveText(before)
    await status(page).getByRole('button', { name: '配信を再開' }).click()
    const resume = page.getByRole('dialog', { name: '配信を再開' })
    await resume.getByRole('button', { name: '配信を再開' }).click()
    await expect(status(page).getByText('公開済み', { exact: true })).toBeVisible()
    const counted = 'select count(*)::int as n, count(distinct user_id)::int as people from notifications'
    // Settled: the server is stopped while its database is read.
    expect(await server.change(`${counted} where target_id = $1`, [id])).toEqual([
      { n: total, people: total },
    ])
  },
)

test(
  'for a member the pages of notices do not exist',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    await signIn(page, network.url, fan)
    for (const path of ['/admin/notice', '/admin/notice/add', '/admin/notice/edit/x']) {
      await page.goto(network.url + path)
      await expect(page.getByRole('heading', { name: 'ページが見つかりません' })).toBeVisible()
      // Settled: the reply to a request of the story.
      expect((await fetch(server.url + path)).status).toBe(404)
    }
  },
)

test(
  'a change by another person is shown, and is not overwritten',
  { tag: '@deep' },
  async ({ server, network, phone: { page } }) => {
    const other = await apiOf(server.url, admin)
    const fields = {
      title: '一つ目の題名',
      body: '本文',
      audience: { is: 'staff' },
      pushes: false,
      mails: false,
      is_advertising: false,
      is_urgent: false,
      bar_until: null,
    }
    const id = newId()
    await other.call('POST', '/admin/notices', { id, ...fields })
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/admin/notice/edit/${id}`)
    const field = page.getByLabel('題名')
    await field.fill('自分の題名')
    await other.call('PUT', `/admin/notices/${id}`, { ...fields, revision: 0, title: 'ほかの人の題名' })
    await page.getByRole('button', { name: '下書きを保存' }).click()
    await expect(page.getByText('ほかの人がこのお知らせを変更しました。')).toBeVisible()
    await expect(field).toHaveValue('自分の題名')
    await look(page, 'outdated')
    await page.getByRole('button', { name: '最新の内容を読み込む' }).click()
    await expect(field).toHaveValue('ほかの人の題名')
    await field.fill('新しい題名')
    await page.getByRole('button', { name: '下書きを保存' }).click()
    await expect(page.getByText('保存しました。')).toBeVisible()
  },
)
