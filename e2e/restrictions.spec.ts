// Restrictions of picked files that a build can set (specification section 5).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWith, openBuilt } from './rig/network/built.ts'
import { postButton, press } from './rig/posting/editor.ts'
import { openEditor, pick, filesInDraft } from './rig/posting/picked.ts'
import { makePictures } from './rig/posting/pictures.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { waitForPost, originals } from './rig/posting/posts.ts'
import { expect, test } from './rig/story.ts'

// The worker of the default build must not be installed.
test.use({ firstVisit: true })

const fixtures = join(import.meta.dirname, 'fixtures')

test(
  'a build with restrictions reports each refused file, and the others can be posted',
  { tag: '@deep' },
  async ({ server, network, phone }) => {
    const restrictions = {
      maxNumberOfFiles: 2,
      minNumberOfFiles: 2,
      minFileSize: 20_000,
      maxFileSize: 3_000_000,
      allowedFileTypes: ['image/*'],
      requiredMetaFields: ['alt'],
      noDuplicates: true,
    }
    await openBuilt(phone.context, buildWith({ VITE_UPLOAD_RESTRICTIONS: JSON.stringify(restrictions) }))
    const { page } = phone
    const [first, second, third] = await makePictures(3)
    if (!first || !second || !third) throw new Error('three pictures were made')
    const large = join(temporaryFolder('restrictions'), 'large.gif')
    writeFileSync(
      large,
      Buffer.concat([readFileSync(join(fixtures, 'odd/anim.gif')), Buffer.alloc(4_000_000)]),
    )
    const message = (words: string) => page.getByRole('main').getByText(words, { exact: false })

    await openEditor(page, network.url)
    await pick(page, [join(fixtures, 'h264.mp4')])
    await expect(message('You can only upload: image/*')).toBeVisible()
    await pick(page, [large])
    await expect(message('large.gif exceeds maximum allowed size of 2.86MB')).toBeVisible()
    await pick(page, [join(fixtures, 'odd/anim.gif')])
    await expect(message('This file is smaller than the allowed size of 0.02MB')).toBeVisible()
    await expect(filesInDraft(page)).toHaveCount(0)

    await pick(page, [first.path])
    await expect(filesInDraft(page)).toHaveCount(1)
    await pick(page, [first.path])
    await expect(message('Cannot add the duplicate file')).toBeVisible()
    await postButton(page).click()
    await expect(message('You have to select at least 2 file(s)')).toBeVisible()

    await pick(page, [second.path])
    await expect(filesInDraft(page)).toHaveCount(2)
    await expect(message('You have to select at least 2 file(s)')).toHaveCount(0)
    await pick(page, [third.path])
    await expect(message('You can only upload 2 file(s)')).toBeVisible()
    await postButton(page).click()
    await expect(message('Missing required meta fields')).toBeVisible()

    const content = '決まりを守った投稿'
    await page.getByRole('textbox', { name: '本文' }).fill(content)
    for (const words of ['一枚目', '二枚目']) {
      await page
        .getByRole('button', { name: /に説明を付ける$/ })
        .first()
        .click()
      await page.getByRole('textbox', { name: '説明' }).fill(words)
      await page.getByRole('button', { name: '保存', exact: true }).click()
      await expect(page.getByRole('img', { name: words })).toBeVisible()
    }
    await expect(message('Missing required meta fields')).toHaveCount(0)
    await press(page, network.url)
    const post = await waitForPost(server.url, content)
    await expect.poll(() => originals(server.url, post)).toEqual([first.sha256, second.sha256])
  },
)
