// A document photo, a chosen thumbnail and a video's frame survive leaving the page.
import { heic, holdDecoder, expectStoredAsPicked, filesOnDevice, spinner } from './rig/posting/converting.ts'
import { reload } from './rig/browsers/leaving.ts'
import { giveName } from './rig/people/identity.ts'
import { fan, signInByCookie } from './rig/people/people.ts'
import { draftHas, openEditor, pick, filesInDraft } from './rig/posting/picked.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { expect, test } from './rig/story.ts'
import { makeVideo } from './rig/posting/video.ts'

test(
  'a document photo is available after a reload during its conversion',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page, context } = phone
    const release = await holdDecoder(context)
    await signInByCookie(page, network.url, fan)
    await page.goto(`${network.url}/user/verification`)
    await page.getByRole('link', { name: '本人確認を始める' }).click()
    await giveName(page)
    await page.getByRole('radio', { name: '運転免許証' }).click()
    await page.getByRole('button', { name: '次へ' }).click()
    await page.getByLabel('撮影する').setInputFiles(heic.path)
    await expectStoredAsPicked(page)
    await expect(page.getByText('この端末に保存しています')).toHaveCount(1)
    await expect(page.getByLabel('撮り直す')).toHaveCount(1)
    // The stored check has the photo as its front.
    await reload(page, ['"front":"'])
    await expect(page.getByRole('heading', { name: '表面を撮影する' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'この写真を使う' })).toHaveCount(0)
    release()
    await expect(page.getByRole('img', { name: '撮影した表面' })).toBeVisible()
    await page.getByRole('button', { name: 'この写真を使う' }).click()
    await expect
      .poll(async () => (await filesOnDevice(page)).map((it) => [it.mime, it.conversion]))
      .toEqual([['image/jpeg', 'ready']])
  },
)

test(
  'a HEIC chosen as thumbnail is available after a reload',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page, context } = phone
    const release = await holdDecoder(context)
    const video = makeVideo(`${temporaryFolder('converting')}/film.mp4`, 400_000)
    await openEditor(page, network.url)
    await pick(page, [video.path])
    await page.getByLabel('画像を選ぶ').setInputFiles(heic.path)
    await expect
      .poll(async () => (await filesOnDevice(page)).find((it) => it.name === heic.name))
      .toMatchObject({ copy: 'stored', bytes: heic.bytes.toString('hex') })
    await reload(page, draftHas(heic.name))
    await expect(page.getByText('選んだ画像')).toBeVisible()
    await expect(spinner(page)).toHaveCount(1)
    release()
    await expect(page.getByRole('img', { name: 'サムネイル' })).toBeVisible()
    await expect(spinner(page)).toHaveCount(0)
  },
)

test(
  'a video whose page was left before its frame was taken gets it when its draft is opened again',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    // At the first opening the player never starts.
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
    await expect(filesInDraft(page)).toHaveCount(1)
    await expect(page.getByText('動画から作成中').first()).toBeVisible()
    await expect
      .poll(async () => (await filesOnDevice(page)).map((it) => [it.name, it.copy]))
      .toEqual([['left.mp4', 'stored']])
    await reload(page, draftHas('left.mp4'))
    await expect(page.getByText('動画の2秒の場面')).toBeVisible()
  },
)
