// Picked photos are stored before their conversion and survive leaving the page.
import {
  chunksOnDevice,
  heic,
  holdDecoder,
  expectConverted,
  expectStoredAsPicked,
  filesOnDevice,
  spinner,
} from './rig/posting/converting.ts'
import { draftHas, openEditor, pick, storedFiles, filesInDraft } from './rig/posting/picked.ts'
import { closePage, killPhone, nothingWritten, reload, storedOnDevice } from './rig/browsers/leaving.ts'
import { expect, test } from './rig/story.ts'

test(
  'a HEIC is stored and converted after a reload during its conversion',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page, context } = phone
    const release = await holdDecoder(context)
    await openEditor(page, network.url)
    await pick(page, [heic.path])
    await expect(spinner(page)).toHaveCount(1)
    await expectStoredAsPicked(page)
    await reload(page, draftHas(heic.name))
    await expect(filesInDraft(page)).toHaveCount(1)
    await expect(spinner(page)).toHaveCount(1)
    release()
    await expectConverted(page)
  },
)

test('after the browser is killed during a conversion, the next start converts the HEIC', async ({
  network,
  phone,
}) => {
  await holdDecoder(phone.context)
  await openEditor(phone.page, network.url)
  await pick(phone.page, [heic.path])
  await expect(spinner(phone.page)).toHaveCount(1)
  await expectStoredAsPicked(phone.page)
  await killPhone(phone, draftHas(heic.name))
  await phone.start()
  // Every page of the app continues conversions.
  await phone.page.goto(`${network.url}/settings`)
  await expect
    .poll(async () => (await filesOnDevice(phone.page)).map((it) => it.name))
    .toEqual(['syn-marker.jpg'])
  await phone.page.goto(`${network.url}/post/upload2`)
  await expectConverted(phone.page)
})

test(
  'a HEIC is converted after its editor was left by a link',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page, context } = phone
    const release = await holdDecoder(context)
    await openEditor(page, network.url)
    await pick(page, [heic.path])
    await expect(spinner(page)).toHaveCount(1)
    await expectStoredAsPicked(page)
    await page.getByRole('button', { name: '戻る' }).click()
    await expect(page).toHaveURL(`${network.url}/`)
    release()
    await expect
      .poll(async () => (await filesOnDevice(page)).map((it) => it.name))
      .toEqual(['syn-marker.jpg'])
    await page.goBack()
    await expectConverted(page)
  },
)

test(
  'a photo removed during its conversion is deleted from the device',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page, context } = phone
    const release = await holdDecoder(context)
    await openEditor(page, network.url)
    await pick(page, [heic.path])
    await expectStoredAsPicked(page)
    await page.getByRole('button', { name: 'syn-marker.heicを外す' }).click()
    await expect(filesInDraft(page)).toHaveCount(0)
    release()
    // It does not block the conversion of the next photo.
    await pick(page, [heic.path])
    await expectConverted(page)
    await expect.poll(() => chunksOnDevice(page)).toBe(1)
  },
)

test(
  'after the converting tab is closed, another tab continues, and both show the same',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page, context } = phone
    const release = await holdDecoder(context)
    await openEditor(page, network.url)
    const other = await context.newPage()
    await other.goto(`${network.url}/post/upload2`)
    await expect(other.getByRole('textbox', { name: '本文' })).toBeVisible()
    await expect(filesInDraft(other)).toHaveCount(0)
    await pick(page, [heic.path])
    await expectStoredAsPicked(page)
    await storedOnDevice(page, draftHas(heic.name))
    await reload(other, nothingWritten)
    await expect(filesInDraft(other)).toHaveCount(1)
    await expect(spinner(other)).toHaveCount(1)
    await closePage(page, nothingWritten)
    release()
    await expectConverted(other)
  },
)

test(
  'three photos are stored before the first of them is converted',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page, context } = phone
    const release = await holdDecoder(context)
    await openEditor(page, network.url)
    await pick(page, [heic.path, heic.path, heic.path])
    await expect
      .poll(async () => (await filesOnDevice(page)).map((it) => it.conversion))
      .toEqual(['pending', 'pending', 'pending'])
    const original = { copy: 'stored', bytes: heic.bytes.toString('hex') }
    await expect.poll(() => filesOnDevice(page)).toMatchObject([original, original, original])
    await reload(page, draftHas(heic.name))
    await expect(spinner(page)).toHaveCount(3)
    release()
    await expect(spinner(page)).toHaveCount(0)
    await expect
      .poll(async () => (await storedFiles(page)).map((it) => it.mime))
      .toEqual(['image/jpeg', 'image/jpeg', 'image/jpeg'])
  },
)
