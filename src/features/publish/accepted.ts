// What a file picker offers: pictures and videos, and the extensions a system may not know as such.
import { acceptedExtensions } from '#contract/media.ts'

export const accepted = ['image/*', 'video/*', ...acceptedExtensions.map((it) => `.${it}`)].join(',')
