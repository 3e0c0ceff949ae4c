// Two submissions of one draft: a double press, and two tabs.
import { closePage, nothingWritten } from './rig/browsers/leaving.ts'
import { postButton, write } from './rig/posting/editor.ts'
import { bothProtocols, expect, expectPublishedOnce, resumable, test } from './rig/posting/fault-matrix.ts'
import { deepUnless } from './rig/sample.ts'

for (const { at } of bothProtocols) {
  test(
    `${at}: after a double press the video is posted once`,
    deepUnless(at === resumable.at),
    async ({ matrix }) => {
      const { phone, network, video } = matrix
      const { page } = phone
      const content = `${at} 二度押しても一度だけ届く`
      await write(page, network.url, { content, files: [video.path], at })
      await postButton(page).evaluate((button) => {
        ;(button as HTMLButtonElement).click()
        ;(button as HTMLButtonElement).click()
      })
      await expect(page).toHaveURL(`${network.url}/`)
      await expectPublishedOnce(matrix, content, video)
    },
  )

  test(`${at}: with two open tabs the video is posted once`, { tag: '@deep' }, async ({ matrix }) => {
    const { phone, network, video } = matrix
    const content = `${at} 二つのタブでも一度だけ届く`
    await write(phone.page, network.url, { content, files: [video.path], at })
    const other = await phone.context.newPage()
    await other.goto(`${network.url}${at}`)
    await expect(other.getByRole('textbox', { name: '本文' })).toHaveValue(content)
    // Both tabs submit the draft at the same moment; the slower one may find its editor emptied.
    const both = [phone.page, other].map((page) =>
      postButton(page).evaluate((button) => (button as HTMLButtonElement).click()),
    )
    await Promise.all(both)
    await expectPublishedOnce(matrix, content, video)
    await closePage(other, nothingWritten)
  })
}
