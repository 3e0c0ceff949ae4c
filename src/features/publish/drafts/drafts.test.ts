// Summaries of drafts for their list.
import { expect, test } from 'vitest'
import { emptyDraft } from '#device/drafts/drafts.ts'
import type { Media } from '#device/database/schema.ts'
import { summarize } from './drafts.ts'

const OWNER = '018f0000-0000-7000-8000-000000000001'
const media = (id: string, change: Partial<Media> = {}): Media => ({
  id,
  draftId: OWNER,
  ownerId: OWNER,
  role: 'media',
  kind: 'image',
  name: 'a.jpg',
  mime: '',
  size: 1,
  duration: null,
  alt: '',
  bytes: { is: 'stored', digest: '' },
  conversion: { is: 'ready' },
  createdAt: 0,
  ...change,
})
const draft = { ...emptyDraft(OWNER, 5), content: '\n  海へ \n二行目' }

test('the first line that is not blank is the title', () => {
  expect(summarize(draft, [])).toMatchObject({ title: '海へ', kind: 'text', files: 0, updatedAt: 5 })
})

test('pictures are counted, and the first one in the order of the post is shown', () => {
  const it = summarize({ ...draft, mediaIds: ['b', 'a'] }, [media('a'), media('b')])
  expect(it).toMatchObject({ kind: 'images', files: 2, incomplete: false })
  expect(it.picture?.id).toBe('b')
})

test('a video is shown by its frame, or by the thumbnail that was chosen for it', () => {
  const rows = [
    media('v', { kind: 'video' }),
    media('f', { role: 'frame' }),
    media('t', { role: 'thumbnail' }),
  ]
  const video = { ...draft, mediaIds: ['v'], frameId: 'f' }
  expect(summarize(video, rows)).toMatchObject({ kind: 'video', files: 1 })
  expect(summarize(video, rows).picture?.id).toBe('f')
  expect(summarize({ ...video, thumbnailId: 't' }, rows).picture?.id).toBe('t')
})

test('a draft with an incomplete file is marked, and the file is not shown', () => {
  const half = media('a', { bytes: { is: 'copying', stored: 0 } })
  const it = summarize({ ...draft, mediaIds: ['a'] }, [half])
  expect(it.incomplete).toBe(true)
  expect(it.picture).toBeUndefined()
})
