// Names of pictures: the literals agree with the path that the contract gives media.
import { expect, test } from 'vitest'
import { MEDIA_PATH } from '#contract/paths.ts'
import { pictureName, picturesIn } from './picture-names.ts'

const id = '0198c0de-0000-7000-8000-000000000001'

test('a path below the media path names its picture and its width', () => {
  expect(pictureName(`${MEDIA_PATH}/${id}/w480`)).toEqual({ ref: `${id}/wide`, width: 480 })
  expect(pictureName(`${MEDIA_PATH}/${id}/blurred`)).toEqual({ ref: `${id}/blurred`, width: 0 })
  expect(pictureName(`${MEDIA_PATH}/${id}/original`)).toBeUndefined()
})

test('a reply names the pictures of its fields, each once', () => {
  const reply = JSON.stringify({
    posts: [{ src: `${MEDIA_PATH}/${id}/w240?exp=1` }, { avatar_url: `${MEDIA_PATH}/${id}/w960` }],
    text: `${MEDIA_PATH}/${id}/poster`,
  })
  expect(picturesIn(reply)).toEqual([`${id}/wide`])
})
