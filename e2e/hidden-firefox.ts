// A program that measures how long Firefox's worker delivers for a hidden page.
/* oxlint-disable house/no-sleep-in-tests -- it measures, and asserts no duration */
import { join } from 'node:path'
import { Firefox, isFirefoxInstalled } from './rig/browsers/firefox.ts'
import { publishWith, signInWith } from './rig/browsers/other-browser.ts'
import { creator } from './rig/people/people.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { waitForPost, originals } from './rig/posting/posts.ts'
import { Proxy } from './rig/network/proxy.ts'
import { Server } from './rig/network/server.ts'
import { makeVideo } from './rig/posting/video.ts'

const BYTES_PER_SECOND = 400_000
/** Three times the 60 s for which Firefox lets one event extend a worker. */
const SECONDS = 180
const CONTENT = '裏でも届く'

/** Measures pauses without a byte from now on. @returns a function that reads the longest so far, ms */
function longestPause(network: Proxy): () => number {
  let longest = 0
  let last = performance.now()
  const read = (): number => Math.max(longest, performance.now() - last)
  network.whenSent(() => {
    longest = read()
    last = performance.now()
  })
  return read
}

async function measure(folder: string): Promise<void> {
  const video = makeVideo(join(folder, 'video.mp4'), SECONDS * BYTES_PER_SECOND)
  const server = await Server.launch(join(folder, 'data'))
  const network = await Proxy.open(server.port)
  const firefox = await Firefox.launch()
  try {
    await signInWith(firefox, network.url, creator)
    network.throttle(BYTES_PER_SECOND)
    await publishWith(firefox, CONTENT, video.path)
    await firefox.hide()
    const visibility = await firefox.evaluate<string>('document.visibilityState')
    firefox.detach()
    const began = performance.now()
    const longest = longestPause(network)
    const post = await waitForPost(server.url, CONTENT, 3 * SECONDS * 1000)
    const [took, pause] = [performance.now() - began, longest()]
    const [sum] = await originals(server.url, post)
    // A new worker requests the offset first.
    const lives = server.output.split('"method":"HEAD"').length - 1
    console.log(`Firefox, page in the background (${visibility}), ${video.size / 1_000_000} MB at ${BYTES_PER_SECOND / 1000} kB/s
  released after ${(took / 1000).toFixed(0)} s, ${sum === video.sha256 ? 'the picked bytes' : 'OTHER BYTES'}
  longest pause ${(pause / 1000).toFixed(1)} s   requests for the offset: ${lives}
  baseline: a worker held by one message or one fetch ends after about 60 s`)
    if (sum !== video.sha256) process.exitCode = 1
  } finally {
    await firefox.discard()
    await network.close()
    await server.stop()
  }
}

if (isFirefoxInstalled()) await measure(temporaryFolder('hidden-firefox'))
else console.log('no Firefox is installed here (Debian: apt-get install firefox-esr)')
