// What a closed post has, in words: characters, pictures, and the length of its video.
import type { PostAccess } from '#contract/posts/posts.ts'
import { number } from '#src/lib/format.ts'

type Amount = Pick<
  Extract<PostAccess, { is: 'preview' }>,
  'image_count' | 'has_video' | 'text_length' | 'video_seconds'
>

/** The parts of a closed post, such as 「文章1,200文字」 and 「動画（3分5秒）」; none where nothing is known. */
export function amountParts({ text_length: length = 0, ...it }: Amount): string[] {
  return [
    ...(it.image_count > 0 ? [`画像${it.image_count}枚`] : []),
    ...(it.has_video ? [videoText(it.video_seconds)] : []),
    ...(length > 0 ? [`文章${number(length)}文字`] : []),
  ]
}

const videoText = (seconds?: number): string =>
  seconds === undefined ? '動画' : `動画（${timeText(seconds)}）`

/** @param seconds whole ones */
function timeText(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), '時間'],
    [Math.floor((seconds % 3600) / 60), '分'],
    [seconds % 60, '秒'],
  ] as const
  return parts.map(([many, unit]) => (many > 0 ? `${many}${unit}` : '')).join('') || '1秒未満'
}
