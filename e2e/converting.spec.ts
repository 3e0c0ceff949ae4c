// A photo that is being converted is on the device before that: leaving the page in any way loses nothing.
import {
  chunksOnDevice,
  heic,
  holdDecoder,
  isConverted,
  isStoredAsPicked,
  onDevice,
  spinner,
} from './rig/posting/converting.ts'
import { openEditor, pick, stored, filesInDraft } from './rig/posting/picked.ts'
import { expect, test } from './rig/story.ts'

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
  await expect(filesInDraft(page)).toHaveCount(1)
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
  // Any page of the app continues it.
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

test('a photo that is taken out while it is converted leaves nothing on the device', async ({
  network,
  phone,
}) => {
  const { page, context } = phone
  const release = await holdDecoder(context)
  await openEditor(page, network.url)
  await pick(page, [heic.path])
  await isStoredAsPicked(page)
  await page.getByRole('button', { name: 'syn-marker.heicを外す' }).click()
  await expect(filesInDraft(page)).toHaveCount(0)
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
  await expect(filesInDraft(other)).toHaveCount(0)
  await pick(page, [heic.path])
  await isStoredAsPicked(page)
  await other.reload()
  await expect(filesInDraft(other)).toHaveCount(1)
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
