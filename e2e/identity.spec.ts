// The identity check: photos, a recording, the upload through faults, and the review.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './rig/axe.ts'
import { pressOn } from './rig/browsers/keyboard.ts'
import { nothingWritten, reload } from './rig/browsers/leaving.ts'
import { rowsIn } from './rig/cached.ts'
import {
  giveName,
  LEGAL_NAME,
  submitCheck,
  photographBothSides,
  recordGestures,
  reviewer,
  recordVideo,
} from './rig/people/identity.ts'
import { akari, kami, sessionOf, signIn, yuu } from './rig/people/people.ts'
import { until } from './rig/network/ports.ts'
import { expect, test } from './rig/story.ts'

/** Whether the device has stored the photos of both sides. */
const hasBothSides = async (page: Page): Promise<boolean> =>
  (await rowsIn(page, 'identity')).some((it) => {
    const { front, back } = JSON.parse(it) as { front: string | null; back: string | null }
    return front !== null && back !== null
  })

test('a check is photographed, sent once through a cut network and a lost reply, and approved', async ({
  server,
  network,
  newPhone,
}) => {
  const { page } = await newPhone({ camera: 'allowed' })
  const { user } = await sessionOf(server.url, kami)
  await signIn(page, network.url, kami)
  await photographBothSides(page, network.url)
  await reload(page, hasBothSides)
  await expect(
    page.getByRole('heading', { name: '顔の動画を撮影する' }),
    'a reload loses nothing',
  ).toBeVisible()
  const gestures = await recordGestures(page)
  expect(new Set(gestures).size).toBe(3)

  network.throttle(400_000)
  network.dropReplyTo('POST /api/identity/checks')
  const before = network.bytesSent
  await submitCheck(page, network.url)
  await network.waitUntilSent(before + 300_000)
  network.cut()
  await page.context().setOffline(true)
  await page.goto(`${network.url}/`).catch(() => undefined)
  network.throttle(Infinity)
  network.restore()
  await page.context().setOffline(false)
  await page.goto(`${network.url}/user/verification`)
  await expect(page.getByText('提出を受け付けました。')).toBeVisible()
  expect(network.droppedReplies, 'the first answer was lost').toBe(1)

  const review = await reviewer(server.url)
  const waiting = await review.waiting(user.id)
  expect(waiting).toHaveLength(1)
  const [check = ''] = waiting
  const facts = { ...LEGAL_NAME, birth_date: '1990-01-01' }
  expect(await review.perform(check, 'approve', facts), 'not taken').toBe(409)
  expect(await review.perform(check, 'take')).toBe(200)
  expect(await review.perform(check, 'approve', facts), 'nothing was shown').toBe(409)
  await review.confirm()
  const files = await review.files(check)
  expect(files.map((it) => it.part)).toEqual(['front', 'back', 'live'])
  for (const file of files) {
    const bytes = await review.read(file.id)
    expect(bytes.length).toBe(file.length)
    const stored = readFileSync(join(server.dataDir, 'identity', file.id))
    expect(hash(stored)).not.toBe(hash(bytes))
    expect(stored.includes(Buffer.from(bytes.subarray(0, 64))), 'sealed on the disk').toBe(false)
  }
  const plain = ['uploads', 'identity-uploads'].flatMap((it) => readdirSync(join(server.dataDir, it)))
  expect(plain.filter((it) => files.some(({ id }) => id === it))).toEqual([])

  await reload(page, nothingWritten)
  await expect(page.getByText('提出いただいた書類を審査しています。')).toBeVisible()
  // Settled: the status of the reply to this request.
  expect(await review.approve(check)).toBe(200)
  await reload(page, nothingWritten)
  await expect(page.getByText('本人確認が完了しています。')).toBeVisible()
  await expect(page.getByRole('link', { name: '本人確認を始める' })).toHaveCount(0)
})

test(
  'without camera permission the device’s camera app is offered; after a rejection a new check can be sent',
  { tag: '@deep' },
  async ({ server, network, newPhone }) => {
    const { page } = await newPhone({ camera: 'refused' })
    const { user } = await sessionOf(server.url, yuu)
    await signIn(page, network.url, yuu)
    await photographBothSides(page, network.url)
    await page.getByRole('button', { name: 'カメラを開く' }).click()
    await expect(page.getByRole('alert').filter({ hasText: '許可されていません' })).toBeVisible()
    await expectNoViolations(page)
    await page.getByRole('button', { name: 'もう一度試す' }).click()
    await expect(page.getByRole('alert').filter({ hasText: '許可されていません' })).toBeVisible()
    await page.getByRole('button', { name: '端末のカメラアプリで撮影する' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: /ください$/ })).toHaveCount(3)
    await page.getByLabel('カメラアプリを開く').setInputFiles(join(import.meta.dirname, 'fixtures/h264.mp4'))
    await recordVideo(page)
    await submitCheck(page, network.url)

    const review = await reviewer(server.url)
    const [check = ''] = await until(async () => {
      const found = await review.waiting(user.id)
      return found.length > 0 ? found : undefined
    }, 'the check to arrive')
    await review.perform(check, 'take')
    expect(
      await review.perform(check, 'reject', { reason: 'cut_off', note: '右上の角が切れています。' }),
    ).toBe(200)
    await page.goto(`${network.url}/user/verification`)
    await expect(page.getByText('書類の一部が写っていませんでした。')).toBeVisible()
    await expect(page.getByRole('main').getByText('右上の角が切れています。')).toBeVisible()
    await expectNoViolations(page)
    await page.getByRole('link', { name: 'もう一度提出する' }).click()
    await expect(page.getByRole('heading', { name: '氏名を入力する' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: '氏名' }), 'as the account has it').toHaveValue('届 花子')
    await expect(page.getByRole('textbox', { name: 'フリガナ' })).toHaveValue('トドケ　ハナコ')
    await page.getByRole('button', { name: '次へ' }).click()
    await expect(page.getByRole('heading', { name: '書類を選ぶ' })).toBeVisible()
  },
)

test(
  'every step works by keyboard in dark mode without axe findings, and recordings can be deleted',
  { tag: '@deep' },
  async ({ network, newPhone }) => {
    const { page } = await newPhone({
      camera: 'allowed',
      colorScheme: 'dark',
      viewport: { width: 1280, height: 800 },
    })
    await signIn(page, network.url, akari)
    const look = (name: string) => expectNoViolations(page, name)
    await page.goto(`${network.url}/user/verification`)
    await page.getByRole('link', { name: '本人確認を始める' }).press('Enter')
    await expect(page.getByRole('heading', { name: '氏名を入力する' })).toBeVisible()
    await expect(page.getByText('本人確認書類に書かれているとおりに入力してください。')).toBeVisible()
    await page.getByRole('button', { name: '次へ' }).press('Enter')
    await expect(page.getByRole('textbox', { name: '氏名' }), 'the first that is missing').toBeFocused()
    await look('naming')
    await giveName(page)
    await expect(page.getByRole('radio', { name: '運転免許証' })).toBeVisible()
    await look('choosing')
    await page.getByRole('radio', { name: '運転免許証' }).focus()
    for (const name of ['運転免許証', 'マイナンバーカード'])
      await pressOn(page.getByRole('radio', { name }), 'ArrowDown')
    await expect(page.getByRole('radio', { name: 'パスポート' })).toBeChecked()
    await page.getByRole('button', { name: '次へ' }).press('Enter')
    const heading = page.getByRole('heading', { name: '顔写真のページを撮影する' })
    await expect(heading, 'the step has the focus').toBeFocused()
    await look('photo')
    await page.getByLabel('写真を選ぶ').setInputFiles({
      name: 'a.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    })
    await expect(page.getByRole('alert').filter({ hasText: 'この形式の画像は使えません' })).toBeVisible()
    await page.getByLabel('写真を選ぶ').setInputFiles(join(import.meta.dirname, 'fixtures/heic/syn-444.heic'))
    await page.getByRole('button', { name: 'この写真を使う' }).press('Enter')
    await expect(page.getByRole('heading', { name: '顔の動画を撮影する' })).toBeFocused()
    await look('before the camera')
    await page.getByRole('button', { name: 'カメラを開く' }).press('Enter')
    await page.getByRole('button', { name: '撮影を始める' }).press('Enter')
    await expect(page.getByRole('status').filter({ hasText: '動作 1 / 3' })).toBeVisible()
    await look('recording')
    await recordVideo(page)
    await expect(page.getByRole('region', { name: '書類と照合する内容' })).toContainText('届 花子')
    await look('confirming')
    await page.getByRole('button', { name: '撮影した内容を削除する' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: '削除する' }).press('Enter')
    await expect(page.getByRole('heading', { name: '氏名を入力する' })).toBeVisible()
  },
)

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
