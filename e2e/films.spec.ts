// Films that are cut off or have no picture are known before 投稿.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  BufferSource,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  FilePathTarget,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { defined } from '#contract/testing/defined.ts'
import { reload } from './rig/browsers/leaving.ts'
import { temporaryFolder } from './rig/network/ports.ts'
import { draftHas, filesInDraft, openEditor, pick, storedFiles } from './rig/posting/picked.ts'
import { expect, test } from './rig/story.ts'

const film = readFileSync(join(import.meta.dirname, 'fixtures/h264.mp4'))

/** Writes the sound of the film alone. */
async function writeSound(file: string): Promise<void> {
  const track = defined(
    await new Input({ formats: [MP4], source: new BufferSource(film) }).getPrimaryAudioTrack(),
  )
  const decoderConfig = defined(await track.getDecoderConfig())
  const output = new Output({ format: new Mp4OutputFormat(), target: new FilePathTarget(file) })
  const source = new EncodedAudioPacketSource(defined(await track.getCodec()))
  output.addAudioTrack(source)
  await output.start()
  for await (const packet of new EncodedPacketSink(track).packets())
    await source.add(packet.clone({ timestamp: Math.max(0, packet.timestamp) }), { decoderConfig })
  await output.finalize()
}

test(
  'a film that is cut off says so before 投稿, also on a later visit, and can be posted or removed',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    const cut = join(temporaryFolder('films'), 'cut.mp4')
    writeFileSync(cut, film.subarray(0, Math.round(film.length * 0.4)))
    await openEditor(page, network.url)
    await pick(page, [cut])
    const notice = page.getByText(
      /^cut\.mp4：ファイルが途中で切れているようです。本来の長さは0:05ですが、0:0[12]までしか/,
    )
    await expect(notice).toBeVisible()
    await expect(page.getByText('途中まで', { exact: true })).toBeVisible()
    // The draft names a file before all of it is copied: a page that is left then loses it.
    await storedFiles(page)
    await reload(page, draftHas('cut.mp4'))
    await expect(notice).toBeVisible()
    await page.getByRole('button', { name: 'cut.mp4を外す' }).click()
    await expect(notice).toHaveCount(0)
  },
)

test(
  'a file of sound alone is refused with the reason before anything is sent',
  { tag: '@deep' },
  async ({ network, phone }) => {
    const { page } = phone
    const sound = join(temporaryFolder('films'), 'sound.mp4')
    await writeSound(sound)
    await openEditor(page, network.url)
    await pick(page, [sound])
    await expect(
      page
        .getByRole('alert')
        .getByText('sound.mp4：音声だけの動画は投稿できません。映像のある動画を選択してください'),
    ).toBeVisible()
    await expect(filesInDraft(page)).toHaveCount(0)
  },
)
