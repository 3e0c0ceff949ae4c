// Pressing 投稿 while a photo is converted, and when its conversion failed.
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expectNoViolationsInEachLook } from './rig/axe.ts'
import {
  chunksOnDevice,
  heic,
  holdDecoder,
  expectStoredAsPicked,
  filesOnDevice,
  spinner,
} from './rig/posting/converting.ts'
import { killPhone, reload, storedOnDevice } from './rig/browsers/leaving.ts'
import { jobsOnDevice, waitUntilDelivered } from './rig/posting/delivery.ts'
import { postButton, press } from './rig/posting/editor.ts'
import { openEditor, pick, storedFiles, filesInDraft } from './rig/posting/picked.ts'
import { waitForPost, originalBytes, postsWithText } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

const waits = (page: Page) => page.getByText('画像の準備が終わると、自動で投稿します。', { exact: false })

test('投稿 during a conversion is stored: after the browser is killed, the next start posts the JPEG once', async ({
  server,
  network,
  phone,
}) => {
  const content = '変換中に押しても届く'
  await holdDecoder(phone.context)
  await openEditor(phone.page, network.url)
  await phone.page.getByRole('textbox', { name: '本文' }).fill(content)
  await pick(phone.page, [heic.path])
  await expectStoredAsPicked(phone.page)
  await postButton(phone.page).click()
  await expect(waits(phone.page)).toBeVisible()
  await expectNoViolationsInEachLook(phone.page)
  await killPhone(phone, [content, '"submitWhenReady":true'])
  await phone.start()
  await phone.page.goto(`${network.url}/settings`)
  const post = await waitForPost(server.url, content)
  const [original] = await originalBytes(server.url, post)
  // Settled: the bytes of a published post do not change.
  expect((await sharp(original).metadata()).format).toBe('jpeg')
  await waitUntilDelivered({ phone })
  await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
  await expect.poll(() => filesOnDevice(phone.page)).toEqual([])
})

test(
  '投稿 waits for the conversion of a HEIC, and nothing is posted before',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const content = '変換を待って届く'
    const { page, context } = phone
    const release = await holdDecoder(context)
    await openEditor(page, network.url)
    await page.getByRole('textbox', { name: '本文' }).fill(content)
    await pick(page, [heic.path])
    await expectStoredAsPicked(page)
    await postButton(page).click()
    await expect(waits(page)).toBeVisible()
    await storedOnDevice(page, ['"submitWhenReady":true'])
    // Settled: the press waits in the draft, and there is no job that would send anything.
    expect([await page.evaluate(jobsOnDevice), await postsWithText(server.url, content)]).toEqual([0, []])
    release()
    await expect(page).toHaveURL(`${network.url}/`)
    await waitForPost(server.url, content)
    await waitUntilDelivered({ phone })
    await expect.poll(() => postsWithText(server.url, content)).toHaveLength(1)
  },
)

test(
  'a HEIC that cannot be converted can be retried, removed, or sent for the server to convert',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const content = 'サーバーで変換する'
    const { page, context } = phone
    let refusing = true
    await context.route('**/libheif-*.wasm', (route) => (refusing ? route.abort() : route.continue()))
    await openEditor(page, network.url)
    await page.getByRole('textbox', { name: '本文' }).fill(content)
    await pick(page, [heic.path])
    const failure = page.getByText(/syn-marker\.heic：この端末では変換できませんでした。選んだ写真は/)
    await expect(failure).toBeVisible()
    await expectNoViolationsInEachLook(page)
    await storedOnDevice(page, [content])
    await reload(page, async (it) =>
      (await filesOnDevice(it)).every(({ conversion }) => conversion === 'failed'),
    )
    await expect(failure).toBeVisible()
    await expectStoredAsPicked(page)
    // The original is not sent without the person's choice.
    await postButton(page).click()
    await expect(
      page.getByText('変換できなかった写真があります。写真ごとに、どうするかを選んでください'),
    ).toBeVisible()
    // Settled: the press was refused, and there is no job that would send anything.
    expect([await page.evaluate(jobsOnDevice), await postsWithText(server.url, content)]).toEqual([0, []])

    await page.getByRole('button', { name: 'syn-marker.heic：削除' }).click()
    await expect(filesInDraft(page)).toHaveCount(0)
    await expect.poll(() => chunksOnDevice(page)).toBe(0)
    await pick(page, [heic.path])
    await page.getByRole('button', { name: 'syn-marker.heic：そのまま送る' }).click()
    await expect(failure).toHaveCount(0)
    await pick(page, [heic.path])
    await expect(failure).toBeVisible()
    refusing = false
    await page.getByRole('button', { name: 'syn-marker.heic：もう一度変換' }).click()
    await expect(failure).toHaveCount(0)
    await expect(spinner(page)).toHaveCount(0)
    await expect
      .poll(async () => (await storedFiles(page)).map((it) => it.mime))
      .toEqual(['image/heic', 'image/jpeg'])
    await press(page, network.url)
    const post = await waitForPost(server.url, content)
    const sent = await originalBytes(server.url, post)
    expect(sent).toHaveLength(2)
    expect(sent[0]).toEqual(heic.bytes)
    // Settled: as above.
    expect((await sharp(sent[1]).metadata()).format).toBe('jpeg')
  },
)
