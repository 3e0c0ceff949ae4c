// The sentence about the use of a post's thumbnail.
import { expect, test } from 'vitest'
import { thumbnailHint } from './thumbnail-hint.ts'

test('the hint states who sees the thumbnail, and what is shown without one', () => {
  const hint = (type: 1 | 2 | 3, media: 'video' | 'images' | 'none') => thumbnailHint({ type, media })
  expect(hint(1, 'video')).toBe('動画を再生する前に表示します。')
  expect(hint(3, 'video')).toBe('動画を再生する前に表示します。購入していない人には、ぼかして表示します。')
  expect(hint(3, 'images')).toBe(
    '購入していない人に、ぼかして表示します。選ばないときは、1枚目の画像を使います。',
  )
  expect(hint(2, 'images')).toBe(
    'プランに加入していない人に、ぼかして表示します。選ばないときは、1枚目の画像を使います。',
  )
  expect(hint(2, 'none')).toBe('投稿の画像になります。プランに加入していない人には、ぼかして表示します。')
  expect(hint(1, 'none')).toBe('投稿の画像になります。')
  expect(hint(1, 'images')).toBe('全体公開で画像のある投稿では、使いません。')
})
