// The variants in which a media file can be requested.
import * as v from 'valibot'

export const mediaVariant = v.picklist([
  'w240',
  'w480',
  'w960',
  'w1600',
  'blurred',
  'still',
  'poster',
  'play',
  'original',
])
export type MediaVariant = v.InferOutput<typeof mediaVariant>
