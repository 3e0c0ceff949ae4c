// Values of `accept` for file inputs, from the extension lists of specification section 5.
import { acceptedExtensions, imageExtensions } from '#contract/posts/media.ts'

// With the wildcards phones offer their gallery and camera; the extensions cover types unknown to the system (HEIC,
// MKV). The file's bytes decide whether it is accepted (`prepare/kind.ts`).

const acceptValue = (wildcards: readonly string[], extensions: readonly string[]) =>
  [...wildcards, ...extensions.map((it) => `.${it}`)].join(',')

/** Images and videos of a post. */
export const acceptedMedia = acceptValue(['image/*', 'video/*'], acceptedExtensions)
/** Images alone: thumbnails, avatars, covers. */
export const acceptedImages = acceptValue(['image/*'], imageExtensions)
