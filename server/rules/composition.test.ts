// The files of which a post may consist (specification section 5).
import { expect, test } from 'vitest'
import { MAX_IMAGES } from '#contract/limits.ts'
import { compose, type Piece } from './composition.ts'

const piece = (id: string, field: string, extension = 'jpg'): Piece => ({
  id,
  field,
  kind: field === 'has_video_file' ? 'video' : 'image',
  extension,
})
const placed = (content: string, ...pieces: Piece[]) => {
  const made = compose(content, pieces)
  return made.is === 'made' ? made.placed.map((it) => `${it.position} ${it.role} ${it.id}`) : made.fields
}

test('blank text without files is an empty post', () => {
  expect(placed('  \n　')).toEqual({ content: 'empty_post' })
})

test('text without files is a post', () => {
  expect(placed('はい')).toEqual([])
})

test('images keep their order', () => {
  const images = [piece('b', 'has_image_file[]'), piece('a', 'has_image_file[]'), piece('c', 'image_file[]')]
  expect(placed('', ...images)).toEqual(['0 image b', '1 image a', '2 image c'])
})

test('a post has at most twenty images, over all fields', () => {
  const images = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      piece(String(i), i % 2 === 0 ? 'has_image_file[]' : 'image_file[]'),
    )
  expect(placed('', ...images(MAX_IMAGES))).toHaveLength(20)
  expect(placed('', ...images(MAX_IMAGES + 1))).toEqual({ 'image_file[]': 'too_long' })
})

test('images together with a video are refused', () => {
  expect(placed('', piece('a', 'has_image_file[]'), piece('v', 'has_video_file', 'mp4'))).toEqual({
    has_video_file: 'unsupported',
  })
})

test('an mp4 needs no thumbnail', () => {
  expect(placed('', piece('v', 'has_video_file', 'mp4'))).toEqual(['0 video v'])
})

test.each(['mov', 'mkv', 'm4v', 'hevc', ''])('a video named .%s needs a thumbnail', (extension) => {
  const video = piece('v', 'has_video_file', extension)
  expect(placed('text', video)).toEqual({ thumbnail: 'thumbnail_required' })
  expect(placed('text', video, piece('t', 'video_thumbnail_file'))).toEqual(['0 video v', '1 thumbnail t'])
})

test('a chosen thumbnail takes precedence over the frame of the video', () => {
  const both = [
    piece('v', 'has_video_file', 'mov'),
    piece('frame', 'video_thumbnail_file'),
    piece('own', 'image_url'),
  ]
  expect(placed('', ...both)).toEqual(['0 video v', '1 thumbnail own'])
})

test('a thumbnail without media is the picture of the post', () => {
  expect(placed('', piece('t', 'image_url'))).toEqual(['0 image t'])
})

test('the author’s own placeholder is added', () => {
  expect(placed('', piece('a', 'image_file[]'), piece('p', 'blurred_image_file'))).toEqual([
    '0 image a',
    '1 blurred p',
  ])
})

test('a refusal has the field and its code', () => {
  expect(compose('', [])).toEqual({ is: 'refused', fields: { content: 'empty_post' } })
  expect(compose('', [piece('v', 'has_video_file', 'mov')])).toEqual({
    is: 'refused',
    fields: { thumbnail: 'thumbnail_required' },
  })
})

test('of two thumbnails without media, the chosen one is the picture of the post', () => {
  expect(placed('', piece('chosen', 'image_url'), piece('frame', 'video_thumbnail_file'))).toEqual([
    '0 image chosen',
  ])
  expect(placed('', piece('frame', 'video_thumbnail_file'))).toEqual(['0 image frame'])
})

test('of two placeholders the first is used', () => {
  const blurred = [piece('one', 'blurred_image_file'), piece('two', 'blurred_image_file')]
  expect(placed('', piece('a', 'image_file[]'), ...blurred)).toEqual(['0 image a', '1 blurred one'])
})
