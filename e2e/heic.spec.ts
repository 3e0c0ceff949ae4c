// HEIC becomes JPEG on the device, with the same picture as a reference decoder.
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { folder, heics, reference, values } from './rig/posting/heic.ts'
import { openEditor, pick, storedFiles, filesInDraft } from './rig/posting/picked.ts'
import { expect, test } from './rig/story.ts'

const pickAll = (page: Page): Promise<void> =>
  pick(
    page,
    heics.map((it) => join(folder, it)),
  )

async function convertsAll(page: Page): Promise<void> {
  await expect(filesInDraft(page)).toHaveCount(heics.length)
  // The strip has scrolled to the last added file.
  await expect(filesInDraft(page).last()).toBeInViewport()
  const pictures = await storedFiles(page)
  expect(pictures.map((it) => it.name)).toEqual(heics.map((it) => it.replace('.heic', '.jpg')))
  for (const [i, name] of heics.entries()) {
    const { bytes = Buffer.alloc(0), mime } = pictures[i] ?? {}
    const { format, exif, xmp } = await sharp(bytes).metadata()
    expect({ name, format, mime, exif, xmp }).toEqual({
      name,
      format: 'jpeg',
      mime: 'image/jpeg',
      exif: undefined,
      xmp: undefined,
    })
    const expected = await reference(name)
    const made = await values(bytes)
    expect([name, made.length]).toEqual([name, expected.length])
    const off = made.map((value, at) => Math.abs(value - (expected[at] ?? 0)))
    expect(Math.max(...off), name).toBeLessThan(12)
    // Neither blank nor black.
    expect(Math.max(...made) - Math.min(...made), name).toBeGreaterThan(100)
  }
  await expect(page.getByRole('alert').getByText(/./)).toHaveCount(0)
}

test(
  'every HEIC becomes a JPEG of the same picture without metadata',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page, context } = phone
    let go = () => {}
    const held = new Promise<void>((done) => (go = done))
    await context.route('**/libheif-*.wasm', async (it) => {
      await held
      await it.continue()
    })
    await openEditor(page, network.url)
    await pickAll(page)
    // Each has a tile with a spinner until its preview is ready.
    const spinners = page.getByText('画像を準備しています')
    await expect(spinners).toHaveCount(heics.length)
    go()
    await convertsAll(page)
    await expect(spinners).toHaveCount(0)
  },
)

test(
  'a browser that cannot start a worker converts on the page',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await page.addInitScript(() => {
      window.Worker = function refused() {
        throw new DOMException('no workers here', 'SecurityError')
      } as unknown as typeof Worker
    })
    await openEditor(page, network.url)
    await pickAll(page)
    await convertsAll(page)
  },
)

test(
  'a browser without canvas in workers converts on the page',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'OffscreenCanvas')
      // Workers of Safari before 16.4 have no canvas.
      const Real = window.Worker
      window.Worker = class extends Real {
        override postMessage(): void {
          setTimeout(() =>
            this.dispatchEvent(new MessageEvent('message', { data: { is: 'unstarted', why: 'no canvas' } })),
          )
        }
      }
    })
    await openEditor(page, network.url)
    await pickAll(page)
    await convertsAll(page)
  },
)
