// Photos that were stored before they were examined are examined before their conversion.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase } from '#device/database/database.ts'
import { emptyDraft } from '#device/drafts/drafts.ts'
import { readMedia } from '#device/files/media.ts'
import { addPhotos, unhashed } from '#device/files/photos.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { convertPicked } from './convert.ts'
import { pictureProblem } from './examine.ts'
import { examineStored } from './examined.ts'

vi.mock('./examine.ts', () => ({ pictureProblem: vi.fn<typeof pictureProblem>() }))
vi.mock('./prepare.ts', () => ({ prepare: async (file: File) => ({ file, isStilled: false }) }))

const NOW = Date.parse('2026-03-05T03:30:00Z')
const draft = emptyDraft(newId(), NOW)
const jpeg = new File(['jpeg'], 'a.jpg', { type: 'image/jpeg' })
const recognised = { format: 'jpg', mime: 'image/jpeg', kind: 'image' } as const

beforeEach(() => {
  vi.stubGlobal('navigator', {
    locks: {
      request: (_name: string, ...rest: unknown[]) => (rest.at(-1) as () => unknown)(),
      query: async () => ({ held: [] }),
    },
  })
})
afterEach(async () => {
  vi.mocked(pictureProblem).mockReset()
  await closeDatabase()
  await deleteDB('todoke')
  vi.unstubAllGlobals()
})

async function stored(): Promise<string> {
  const conversion = { is: 'pending', format: 'jpg', keepSize: true, tries: 0 } as const
  const media = pictureRow(draft, {
    name: jpeg.name,
    mime: jpeg.type,
    size: jpeg.size,
    bytes: unhashed,
    conversion,
  })
  await addPhotos(draft, [{ media, file: jpeg }], NOW)
  return media.id
}

test('a photo that the server would refuse is not converted, also after a kill of its page', async () => {
  vi.mocked(pictureProblem).mockResolvedValue('broken')
  const mediaId = await stored()
  await convertPicked(draft.ownerId)
  expect((await readMedia(mediaId))?.conversion).toMatchObject({ is: 'failed', why: 'unconvertible' })
  expect(pictureProblem).toHaveBeenCalledWith(expect.any(File), recognised, true)
})

test('a photo without a problem is converted; its intake and its conversion share one examination', async () => {
  vi.mocked(pictureProblem).mockResolvedValue(undefined)
  const mediaId = await stored()
  await examineStored(jpeg, { mediaId, recognised, keepSize: true })
  await convertPicked(draft.ownerId)
  expect((await readMedia(mediaId))?.conversion.is).toBe('ready')
  expect(pictureProblem).toHaveBeenCalledOnce()
})
