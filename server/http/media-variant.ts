// The variants in which a media file can be requested.
import * as v from 'valibot'

/** `w` and a width, `p` and the number of a part of a strip, or another file. */
export const variantPattern = /^(?:w\d{3,5}|p\d{1,2}|blurred|still|poster|play|original)$/

export const mediaVariant = v.pipe(v.string(), v.regex(variantPattern))
export type MediaVariant = v.InferOutput<typeof mediaVariant>
