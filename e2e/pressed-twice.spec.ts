// An impatient thumb, and a person with two tabs.
import { postButton, write } from './rig/editor.ts'
import { arrivesOnce } from './rig/delivery.ts'
import { creator, signIn } from './rig/people.ts'
import { expect, test } from './rig/story.ts'

test('the button is pressed twice at once: the video is posted once', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const it = { server, network, phone, largeVideo }
  const { page } = phone
  const content = '二度押しても一度だけ届く'
  await signIn(page, network.url, creator)
  await write(page, network.url, { content, files: [largeVideo.path] })
  await postButton(page).evaluate((button) => {
    ;(button as HTMLButtonElement).click()
    ;(button as HTMLButtonElement).click()
  })
  await expect(page).toHaveURL(`${network.url}/`)
  await arrivesOnce(it, content)
})

test('two tabs are open while the video is sent: it is posted once', async ({
  server,
  network,
  phone,
  largeVideo,
}) => {
  const it = { server, network, phone, largeVideo }
  const content = '二つのタブでも一度だけ届く'
  await signIn(phone.page, network.url, creator)
  await write(phone.page, network.url, { content, files: [largeVideo.path] })
  const other = await phone.context.newPage()
  await other.goto(`${network.url}/post/upload2`)
  await expect(other.getByRole('textbox', { name: '本文' })).toHaveValue(content)
  // The same draft, submitted in both at the same moment. The slower tab may find its editor emptied: so it should.
  const both = [phone.page, other].map((page) =>
    postButton(page).evaluate((button) => (button as HTMLButtonElement).click()),
  )
  await Promise.all(both)
  await arrivesOnce(it, content)
})
