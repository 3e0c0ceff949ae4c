// A photo that is being converted is on the device before that: leaving the page in any way loses nothing.
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { brokenInAnyLook } from './rig/axe.ts'
import { chunksOnDevice, heic, holdDecoder, onDevice } from './rig/posting/converting.ts'
import { settled } from './rig/posting/delivery.ts'
import { postButton, press } from './rig/posting/editor.ts'
import { fan, knownAs } from './rig/people/people.ts'
import { openEditor, pick, stored, taken } from './rig/posting/picked.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { arrival, originalBytes, postsSaying } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

const spinner = (page: Page) => page.getByText('画像を準備しています')
const waits = (page: Page) => page.getByText('画像の準備が終わると、自動で投稿します。', { exact: false })

/** The picked file itself is stored, to the last byte. */
const isStoredAsPicked = (page: Page) =>
  expect
    .poll(async () => (await onDevice(page)).map((it) => [it.copy, it.bytes]))
    .toEqual([['stored', heic.bytes.toString('hex')]])

/** The one file of the draft is a JPEG now, and of the picked file nothing is left. */
async function isConverted(page: Page): Promise<void> {
  await expect(taken(page)).toHaveCount(1)
  await expect(spinner(page)).toHaveCount(0, { timeout: 60_000 })
  const [file, ...others] = await stored(page)
  expect(others).toEqual([])
  expect(file).toMatchObject({ name: 'syn-marker.jpg', mime: 'image/jpeg' })
  expect((await sharp(file?.bytes).metadata()).format).toBe('jpeg')
}

test('the page is reloaded while a HEIC is converted: the photo is there and is converted at the end', async ({
  network,
  phone,
}) => {
  const { page, context } = phone
  const release = await holdDecoder(context)
  await openEditor(page, network.url)
  await pick(page, [heic.path])
  await expect(spinner(page)).toHaveCount(1)
  await isStoredAsPicked(page)
  await page.reload()
  await expect(taken(page)).toHaveCount(1)
  await expect(spinner(page)).toHaveCount(1)
  release()
  await isConverted(page)
})

test('the browser is killed while a HEIC is converted: the next start converts it', async ({
  network,
  phone,
}) => {
  await holdDecoder(phone.context)
  await openEditor(phone.page, network.url)
  await pick(phone.page, [heic.path])
  await expect(spinner(phone.page)).toHaveCount(1)
  await isStoredAsPicked(phone.page)
  await phone.kill()
  await phone.start()
  // Any page of the app goes on with it.
  await phone.page.goto(`${network.url}/settings`)
  await expect
    .poll(async () => (await onDevice(phone.page)).map((it) => it.name), { timeout: 60_000 })
    .toEqual(['syn-marker.jpg'])
  await phone.page.goto(`${network.url}/post/upload2`)
  await isConverted(phone.page)
})

test('the editor is left by a link while a HEIC is converted: the photo is converted all the same', async ({
  network,
  phone,
}) => {
  const { page, context } = phone
  const release = await holdDecoder(context)
  await openEditor(page, network.url)
  await pick(page, [heic.path])
  await expect(spinner(page)).toHaveCount(1)
  await isStoredAsPicked(page)
  await page.getByRole('button', { name: '戻る' }).click()
  await expect(page).toHaveURL(`${network.url}/`)
  release()
  await expect
    .poll(async () => (await onDevice(page)).map((it) => it.name), { timeout: 60_000 })
    .toEqual(['syn-marker.jpg'])
  await page.goBack()
  await isConverted(page)
})

test('投稿 is pressed while a HEIC is converted and the browser is killed: the next start posts the JPEG, once', async ({
  server,
  network,
  phone,
}) => {
  const content = '変換中に押しても届く'
  await holdDecoder(phone.context)
  await openEditor(phone.page, network.url)
  await phone.page.getByRole('textbox', { name: '本文' }).fill(content)
  await pick(phone.page, [heic.path])
  await isStoredAsPicked(phone.page)
  await postButton(phone.page).click()
  await expect(waits(phone.page)).toBeVisible()
  expect(await brokenInAnyLook(phone.page)).toEqual([])
  await phone.kill()
  await phone.start()
  await phone.page.goto(`${network.url}/settings`)
  const post = await arrival(server.url, content)
  const [original] = await originalBytes(server.url, post)
  expect((await sharp(original).metadata()).format).toBe('jpeg')
  await settled({ phone })
  expect(await postsSaying(server.url, content)).toHaveLength(1)
  expect(await onDevice(phone.page)).toEqual([])
})

test('投稿 waits for a HEIC in the open page, and nothing is posted before', async ({
  server,
  network,
  phone,
}) => {
  const content = '変換を待って届く'
  const { page, context } = phone
  const release = await holdDecoder(context)
  await openEditor(page, network.url)
  await page.getByRole('textbox', { name: '本文' }).fill(content)
  await pick(page, [heic.path])
  await isStoredAsPicked(page)
  await postButton(page).click()
  await expect(waits(page)).toBeVisible()
  expect(await postsSaying(server.url, content)).toEqual([])
  release()
  await expect(page).toHaveURL(`${network.url}/`)
  await arrival(server.url, content)
  await settled({ phone })
  expect(await postsSaying(server.url, content)).toHaveLength(1)
})

test('a HEIC that cannot be converted stays with its choices: again, removed, or sent for the server to convert', async ({
  server,
  network,
  phone,
}) => {
  const content = 'サーバーで変換する'
  const { page, context } = phone
  let refusing = true
  await context.route('**/libheif-*.wasm', (route) => (refusing ? route.abort() : route.continue()))
  await openEditor(page, network.url)
  await page.getByRole('textbox', { name: '本文' }).fill(content)
  await pick(page, [heic.path])
  const failure = page.getByText(/syn-marker\.heic：この端末では変換できませんでした。選んだ写真は/)
  await expect(failure).toBeVisible()
  expect(await brokenInAnyLook(page)).toEqual([])
  await page.reload()
  await expect(failure).toBeVisible()
  expect((await onDevice(page)).map((it) => it.bytes)).toEqual([heic.bytes.toString('hex')])
  // It is not sent unconverted without a word.
  await postButton(page).click()
  await expect(
    page.getByText('変換できなかった写真があります。写真ごとに、どうするかを選んでください'),
  ).toBeVisible()
  expect(await postsSaying(server.url, content)).toEqual([])

  await page.getByRole('button', { name: 'syn-marker.heic：削除' }).click()
  await expect(taken(page)).toHaveCount(0)
  expect(await chunksOnDevice(page)).toBe(0)
  await pick(page, [heic.path])
  await page.getByRole('button', { name: 'syn-marker.heic：そのまま送る' }).click()
  await expect(failure).toHaveCount(0)
  await pick(page, [heic.path])
  await expect(failure).toBeVisible()
  refusing = false
  await page.getByRole('button', { name: 'syn-marker.heic：もう一度変換' }).click()
  await expect(failure).toHaveCount(0)
  await expect(spinner(page)).toHaveCount(0)
  expect((await stored(page)).map((it) => it.mime)).toEqual(['image/heic', 'image/jpeg'])
  await press(page, network.url)
  const post = await arrival(server.url, content)
  const sent = await originalBytes(server.url, post)
  expect(sent).toHaveLength(2)
  expect(sent[0]).toEqual(heic.bytes)
  expect((await sharp(sent[1]).metadata()).format).toBe('jpeg')
})

test('a photo that is taken out while it is converted leaves nothing on the device', async ({
  network,
  phone,
}) => {
  const { page, context } = phone
  const release = await holdDecoder(context)
  await openEditor(page, network.url)
  await pick(page, [heic.path])
  await isStoredAsPicked(page)
  await page.getByRole('button', { name: 'syn-marker.heicを取り除く' }).click()
  await expect(taken(page)).toHaveCount(0)
  release()
  // The next photo's conversion is not held up by it.
  await pick(page, [heic.path])
  await isConverted(page)
  expect(await chunksOnDevice(page)).toBe(1)
})

test('the tab that converts is closed: another tab goes on, and both show the same', async ({
  network,
  phone,
}) => {
  const { page, context } = phone
  const release = await holdDecoder(context)
  await openEditor(page, network.url)
  const other = await context.newPage()
  await other.goto(`${network.url}/post/upload2`)
  await expect(taken(other)).toHaveCount(0)
  await pick(page, [heic.path])
  await isStoredAsPicked(page)
  await other.reload()
  await expect(taken(other)).toHaveCount(1)
  await expect(spinner(other)).toHaveCount(1)
  await page.close()
  release()
  await isConverted(other)
})

test('three photos are all on the device before the first of them is converted', async ({
  network,
  phone,
}) => {
  const { page, context } = phone
  const release = await holdDecoder(context)
  await openEditor(page, network.url)
  await pick(page, [heic.path, heic.path, heic.path])
  await expect
    .poll(async () => (await onDevice(page)).map((it) => it.conversion))
    .toEqual(['pending', 'pending', 'pending'])
  const original = { copy: 'stored', bytes: heic.bytes.toString('hex') }
  await expect.poll(() => onDevice(page)).toMatchObject([original, original, original])
  await page.reload()
  await expect(spinner(page)).toHaveCount(3)
  release()
  await expect(spinner(page)).toHaveCount(0, { timeout: 60_000 })
  expect((await stored(page)).map((it) => it.mime)).toEqual(['image/jpeg', 'image/jpeg', 'image/jpeg'])
})

test('the page is reloaded while the photo of a document is converted: it is there and can be used', async ({
  network,
  phone,
}) => {
  const { page, context } = phone
  const release = await holdDecoder(context)
  await knownAs(page, network.url, fan)
  await page.goto(`${network.url}/user/verification`)
  await page.getByRole('link', { name: '本人確認を始める' }).click()
  await page.getByRole('radio', { name: '運転免許証' }).click()
  await page.getByRole('button', { name: '次へ' }).click()
  await page.getByLabel('撮影する').setInputFiles(heic.path)
  await isStoredAsPicked(page)
  await expect(page.getByText('この端末に保存しています')).toHaveCount(1)
  // The check names the photo as its front.
  await expect(page.getByLabel('撮り直す')).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('heading', { name: '表面を撮影する' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'この写真を使う' })).toHaveCount(0)
  release()
  await expect(page.getByRole('img', { name: '撮影した表面' })).toBeVisible()
  await page.getByRole('button', { name: 'この写真を使う' }).click()
  expect((await onDevice(page)).map((it) => [it.mime, it.conversion])).toEqual([['image/jpeg', 'ready']])
})

test('a HEIC is chosen as thumbnail and the page reloaded: the thumbnail is there', async ({
  network,
  phone,
}) => {
  const { page, context } = phone
  const release = await holdDecoder(context)
  const video = makeVideo(`${temporaryFolder('converting')}/film.mp4`, 400_000)
  await openEditor(page, network.url)
  await pick(page, [video.path])
  await page.getByLabel('画像を選ぶ').setInputFiles(heic.path)
  await expect
    .poll(async () => (await onDevice(page)).find((it) => it.name === heic.name))
    .toMatchObject({ copy: 'stored', bytes: heic.bytes.toString('hex') })
  await page.reload()
  await expect(page.getByText('選んだ画像')).toBeVisible()
  await expect(spinner(page)).toHaveCount(1)
  release()
  await expect(page.getByRole('img', { name: 'サムネイル' })).toBeVisible()
  await expect(spinner(page)).toHaveCount(0)
})

test('a video whose page was left before its picture was taken gets it at the next opening', async ({
  network,
  phone,
}) => {
  const { page } = phone
  // At the first opening the player never begins.
  await page.addInitScript(`{
    const isFirst = sessionStorage.getItem('opened') === null && location.pathname.startsWith('/post')
    if (isFirst) {
      sessionStorage.setItem('opened', '1')
      Object.defineProperty(HTMLMediaElement.prototype, 'src', { set() {}, get: () => '' })
    }
  }`)
  const video = makeVideo(`${temporaryFolder('converting')}/left.mp4`, 400_000)
  await openEditor(page, network.url)
  await pick(page, [video.path])
  await expect(taken(page)).toHaveCount(1)
  await expect(page.getByText('動画から作成中').first()).toBeVisible()
  await expect
    .poll(async () => (await onDevice(page)).map((it) => [it.name, it.copy]))
    .toEqual([['left.mp4', 'stored']])
  await page.reload()
  await expect(page.getByText('動画の2秒の場面')).toBeVisible()
})
