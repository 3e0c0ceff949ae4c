// Two identity checks are compared and decided one after the other, by keys.
import type { Locator, Page } from '@playwright/test'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import { pressAnywhere, pressOn } from './rig/browsers/keyboard.ts'
import type { Phone } from './rig/browsers/phone.ts'
import { apiOf } from './rig/people/api.ts'
import { confirmAdmin } from './rig/people/confirming.ts'
import { reviewer } from './rig/people/identity.ts'
import { admin, signIn } from './rig/people/people.ts'
import { registerPerson } from './rig/people/registered.ts'
import { submittedCheck } from './rig/people/sent-check.ts'
import { expect, test } from './rig/story.ts'

// The queue is empty at the end, which checks of other stories would prevent.
test.use({ ownServer: 'file' })

const desktop = { width: 1280, height: 800 }
const look = async (page: Page, name: string) => await expectNoViolationsInEachLook(page, name)
const button = (page: Page, name: string) => page.getByRole('article').getByRole('button', { name })
const heading = (page: Page) => page.getByRole('article').getByRole('heading', { level: 2 })

/** Zooms a document by keys, the wheel, a double click and buttons, and turns it. */
async function zoom(page: Page, side: string): Promise<void> {
  const frame = page.getByRole('application', { name: `${side}の表示` })
  const figure = page.getByRole('figure').filter({ has: frame })
  const level = figure.getByRole('status')
  const picture = frame.getByRole('img')
  // Settled: it is repeated, or read once the level is shown, which the same update moves the picture with.
  const placeOf = async (it: Locator) => (await it.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await expect(level).toHaveText('100%')
  await expect(picture, 'its size is known').toHaveAttribute('style', /scale/)
  const whole = await placeOf(picture)
  await frame.focus()
  await pressOn(frame, '+')
  await expect(level).toHaveText('150%')
  await pressOn(frame, '+')
  await expect(level).toHaveText('200%')
  await expect.poll(async () => (await placeOf(picture)).width / whole.width).toBeCloseTo(2, 1)

  const before = await placeOf(picture)
  await pressOn(frame, 'ArrowRight')
  await expect.poll(async () => Math.round((await placeOf(picture)).x - before.x)).toBe(-48)
  for (let i = 0; i < 30; i++) await pressOn(frame, 'ArrowRight')
  const edge = await placeOf(frame)
  const rightOf = async (it: Locator) => Math.round((await placeOf(it)).x + (await placeOf(it)).width)
  await expect
    .poll(() => rightOf(picture), { message: 'the picture ends at its frame' })
    .toBe(Math.round(edge.x + edge.width))

  await frame.hover()
  await page.mouse.wheel(0, -100)
  await expect(level, 'the wheel zooms a picture that has the focus').toHaveText('270%')
  await pressOn(frame, '-')
  await expect(level).toHaveText('200%')
  const held = await placeOf(picture)
  await page.mouse.down()
  await page.mouse.move(edge.x + edge.width / 2 + 60, edge.y + edge.height / 2)
  await page.mouse.up()
  await expect.poll(async () => Math.round((await placeOf(picture)).x - held.x), 'dragged').toBe(60)
  await pressOn(frame, 'r')
  await expect(level).toHaveText('200%・90°')
  await pressOn(frame, '0')
  await expect(level).toHaveText('100%・90°')
  await frame.dblclick()
  await expect(level).toHaveText('300%・90°')
  await figure.getByRole('button', { name: '全体を表示する' }).click()
  await expect(level).toHaveText('100%・90°')
}

/** The recording is loaded and runs. */
async function play(page: Page): Promise<void> {
  await page.getByRole('button', { name: '動画を表示する' }).click()
  const film = page.locator('video')
  await expect.poll(() => film.evaluate((it) => (it as HTMLVideoElement).readyState)).toBeGreaterThan(0)
  await film.evaluate((it) => {
    ;(it as HTMLVideoElement).muted = true
    return (it as HTMLVideoElement).play()
  })
  await expect.poll(() => film.evaluate((it) => (it as HTMLVideoElement).currentTime)).toBeGreaterThan(0)
  await expect(page.getByRole('region', { name: '動画で求めた動作' }).getByRole('listitem')).toHaveCount(3)
}

test(
  'two checks are compared with zoom and decided by keys; the next opens by itself until the queue is empty',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const [one, two] = [await registerPerson(server), await registerPerson(server)]
    await submittedCheck(server.url, one)
    const second = await submittedCheck(server.url, two)
    const [first, other] = [await apiOf(server.url, one), await apiOf(server.url, two)]
    const { page } = await newPhone({ viewport: desktop })
    await signIn(page, network.url, admin)
    await page.goto(`${network.url}/administration`)
    await expect(page.getByText('残り2件')).toBeVisible()
    const rows = page.getByRole('tabpanel').getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await pressAnywhere(rows.first(), '?')
    await pressOn(page.getByRole('dialog', { name: 'キーボード操作' }), 'Escape')
    await pressAnywhere(rows.first(), 'j')
    await pressOn(rows.first(), 'e')

    await pressOn(heading(page), 'j')
    await expect(page).toHaveURL(new RegExp(second))
    await pressOn(heading(page), 'k')
    await expect(page).not.toHaveURL(new RegExp(second))
    await expect(heading(page)).toBeFocused()
    await pressAnywhere(button(page, '審査を担当する'), 't')
    await expect(page.getByText(/まで、ほかの担当者は審査できません。/)).toBeVisible()
    await page.getByRole('button', { name: '書類を表示する' }).click()
    await confirmAdmin(page)
    await zoom(page, '表面')
    await expect(page.getByText('承認するには、顔の動画を表示してください。')).toBeVisible()
    await expect(button(page, '承認する')).toBeDisabled()
    await expect(button(page, '承認する')).toHaveAccessibleDescription(/^承認するには、/)
    await play(page)
    await expect(button(page, '承認する'), 'every part was shown').toBeEnabled()
    await look(page, 'compared')

    await pressAnywhere(button(page, '承認する'), 'e')
    const approval = page.getByRole('alertdialog')
    await expect(approval.getByRole('listitem')).toHaveText([
      /^氏名.*届 花子（トドケ　ハナコ）/,
      /^生年月日/,
      /^顔/,
      /^動作/,
    ])
    await look(page, 'approving')
    await approval.getByRole('button', { name: '承認する' }).click()
    await expect(page).toHaveURL(new RegExp(second))
    await expect(heading(page), 'the next check opens at its heading').toBeFocused()
    await expect(page.getByText('残り1件')).toBeVisible()
    expect(await first.call('GET', '/identity')).toMatchObject({ state: { is: 'approved' } })

    await pressAnywhere(button(page, '審査を担当する'), 't')
    await expect(button(page, '担当を外れる')).toBeVisible()
    await pressAnywhere(button(page, '差し戻す'), 'd')
    const sheet = page.getByRole('dialog', { name: '差し戻しの理由' })
    await sheet.getByRole('combobox', { name: '理由' }).selectOption({ label: '一部が写っていない' })
    await expect(sheet.getByText('ユーザーに届く文：書類の一部が写っていませんでした。')).toBeVisible()
    await sheet.getByRole('textbox', { name: 'ユーザーへのメッセージ' }).fill('右上の角が切れています。')
    await sheet.getByRole('button', { name: '差し戻す' }).click()
    await expect(page.getByText('審査を待っている本人確認はありません')).toBeVisible()
    await expect(page.getByText('残り0件')).toBeVisible()
    await look(page, 'empty')
    expect(await other.call('GET', '/identity')).toMatchObject({
      state: { is: 'rejected', reason: 'cut_off', note: '右上の角が切れています。' },
    })

    const own = (await newPhone()).page
    await signIn(own, network.url, two)
    await own.goto(`${network.url}/user/verification`)
    await expect(own.getByRole('main').getByText('右上の角が切れています。')).toBeVisible()
  },
)

/** Two fingers on the document, from 60 to 180 CSS pixels apart. */
async function pinch(phone: Phone, frame: Locator): Promise<void> {
  await frame.scrollIntoViewIfNeeded()
  // Settled: the documents and their frames are shown, and nothing scrolls.
  const box = await frame.boundingBox()
  if (!box) throw new Error('the document is not shown')
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const cdp = await phone.cdp()
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart?: number) =>
    cdp.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        apart === undefined
          ? []
          : [-apart / 2, apart / 2].map((by, id) => ({ x: middle.x + by, y: middle.y, id })),
    })
  await send('touchStart', 60)
  for (const apart of [75, 90, 110, 130, 150, 165, 180]) await send('touchMove', apart)
  await send('touchEnd')
  await cdp.detach()
}

test(
  'on a phone: a broken file and an ended validation say so, fingers zoom, and a decision of another window is shown',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const { page } = phone
    const check = await submittedCheck(server.url, await registerPerson(server))
    await signIn(page, network.url, admin)
    await page.route('**/api/admin/identity/files/*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal' } } }),
    )
    await page.goto(`${network.url}/administration?check=${check}`)
    await page.getByRole('button', { name: '審査を担当する' }).click()
    await page.getByRole('button', { name: '書類を表示する' }).click()
    await confirmAdmin(page)
    const broken = page.getByRole('alert').filter({ hasText: '表面を表示できませんでした。' })
    await expect(broken).toBeVisible()
    await look(page, 'broken')
    await page.unroute('**/api/admin/identity/files/*')
    await broken.getByRole('button', { name: 'もう一度表示する' }).click()
    const front = page.getByRole('img', { name: '提出された表面' })
    await expect.poll(() => front.evaluate((it) => (it as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
    await expect(front, 'its size is known').toHaveAttribute('style', /scale/)
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await expect.poll(overflow, { message: 'the page does not scroll sideways' }).toBeLessThanOrEqual(0)
    // Settled: the picture has its size, as its style says.
    const whole = (await front.boundingBox())?.width ?? 0
    await pinch(phone, page.getByRole('application', { name: '表面の表示' }))
    // The factor depends on the first movements, which a busy machine merges.
    await expect.poll(async () => (await front.boundingBox())?.width ?? 0).toBeGreaterThan(whole * 1.4)

    // What is written stays when the validation ends.
    await page.getByRole('button', { name: '差し戻す' }).click()
    const sheet = page.getByRole('dialog', { name: '差し戻しの理由' })
    const note = sheet.getByRole('textbox', { name: 'ユーザーへのメッセージ' })
    await note.fill('文字が読めません。')
    await page.route('**/api/auth/validation', (route) => route.fulfill({ json: { valid_until: null } }))
    // The page reads the validation again when it is visible again.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(front).toHaveCount(0)
    await pressOn(sheet, 'Escape')
    await expect(sheet).toBeHidden()
    await page.unroute('**/api/auth/validation')
    await page.getByRole('button', { name: '書類を表示する' }).click()
    await confirmAdmin(page)
    await expect(front).toBeVisible()
    await page.getByRole('button', { name: '差し戻す' }).click()
    await expect(note).toHaveValue('文字が読めません。')
    await pressOn(sheet, 'Escape')
    await expect(sheet).toBeHidden()

    // The same admin decides it in another window: the number of open checks tells this page.
    const review = await reviewer(server.url)
    // Settled: the status of the reply to this request.
    expect(await review.approve(check)).toBe(200)
    await expect(page.getByRole('article').getByText('承認', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: '差し戻す' })).toBeHidden()
  },
)
