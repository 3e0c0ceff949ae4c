// Values of `accept` for file inputs, from the extension lists of specification section 5.
import { acceptedExtensions, imageExtensions } from '#contract/posts/media.ts'

// The wildcards make phones offer their gallery and camera; the extensions cover types a system does not know (HEIC,
// MKV). What is taken is decided by the file's bytes (`prepare/kind.ts`), not by this offer.

const offer = (wildcards: readonly string[], extensions: readonly string[]) =>
  [...wildcards, ...extensions.map((it) => `.${it}`)].join(',')

/** Images and videos of a post. */
export const acceptedMedia = offer(['image/*', 'video/*'], acceptedExtensions)
/** Images alone: thumbnails, avatars, covers. */
export const acceptedImages = offer(['image/*'], imageExtensions)
